module github.com/waybill-tms/waybill-go

go 1.24.0
