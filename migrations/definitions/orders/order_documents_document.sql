CREATE OR REPLACE FUNCTION order_documents_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', d.id, 'name', d.name, 'content_type', d.content_type,
        'size', d.size, 'created_at', iso_utc(a.attached_at)) ORDER BY a.attached_at, d.id), '[]')
    FROM order_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
    WHERE a.org_id = org AND a.order_id = order_documents_document.order_id
$$;
