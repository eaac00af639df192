// The log of messages: emails and text messages, as one list of either.
import { api, ask, type Schema } from '$shared/api';

export type Channel = 'email' | 'sms';

/** A message of either sort, as the table shows it. */
export interface Message {
	id: number;
	channel: Channel;
	event: string;
	receiver: string;
	subject: string;
	status: string;
	failure: string;
	orderId: number;
	createdAt: string;
}

export interface MessagePage {
	rows: Message[];
	total: number;
	pages: number;
}

export interface MessageQuery {
	channel: Channel;
	receiver: string;
	orderId: number | undefined;
	page: number;
}

export const pageSize = 50;

export async function listMessages(query: MessageQuery): Promise<MessagePage> {
	const common = { page: query.page, perPage: pageSize, ...(query.orderId === undefined ? {} : { orderId: query.orderId }) };
	if (query.channel === 'sms') {
		const body = { ...common, ...(query.receiver ? { toNumber: query.receiver } : {}) };
		const page = await ask(api.POST('/v1/notifications-log/sms', { body }));
		return { rows: page.smsLogs.map(ofText), total: page.totalRecords, pages: page.numPages };
	}
	const body = { ...common, ...(query.receiver ? { receiverEmail: query.receiver } : {}) };
	const page = await ask(api.POST('/v1/notifications-log/emails', { body }));
	return { rows: page.emailLogs.map(ofEmail), total: page.totalRecords, pages: page.numPages };
}

const ofText = (log: Schema<'SMSLog'>): Message => ({
	id: log.smsLogId,
	channel: 'sms',
	event: log.event,
	receiver: log.toNumber,
	subject: log.message,
	status: log.status,
	failure: log.failureReason ?? '',
	orderId: log.orderId,
	createdAt: log.createdAt
});

const ofEmail = (log: Schema<'EmailLog'>): Message => ({
	id: log.emailLogId,
	channel: 'email',
	event: log.emailType,
	receiver: log.toAddress,
	subject: log.subject,
	status: log.status,
	failure: log.failureReason ?? '',
	orderId: log.orderId,
	createdAt: log.createdAt
});

/** What became of one message, step by step. */
export function readTimeline(message: Message): Promise<Schema<'NotificationTimeline'>> {
	const params = { path: { id: message.id } };
	return message.channel === 'sms'
		? ask(api.GET('/v1/notifications-log/sms/{id}/timeline', { params }))
		: ask(api.GET('/v1/notifications-log/emails/{id}/timeline', { params }));
}

/** Sends a message that failed once more. */
export const retry = (message: Message) =>
	ask(api.POST('/v1/notifications/{id}/retry', { params: { path: { id: message.id } } }));

export const failed = (message: Message): boolean => ['failed', 'bounced', 'spam'].includes(message.status);
