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
	/** Whether it is unknown if the provider accepted it. */
	uncertain: boolean;
	failure: string;
	orderId: number;
	/** The message that this one retries, or 0. */
	retryOf: number;
	createdAt: string;
}

export interface MessagePage {
	rows: Message[];
	total: number;
	pages: number;
}

export interface MessageQuery {
	/** `both` requires an order, and permits no other filter than the receiver. */
	channel: Channel | 'both';
	receiver: string;
	orderId: number | undefined;
	/** The statuses; empty means all, and `unsent` the undelivered messages that were not retried. */
	status: Status | typeof unsent | '';
	/** The day of their orders; all when it is empty. */
	date: string;
	page: number;
}

export type Status = Schema<'EmailStatus'> | Schema<'SMSStatus'>;

/** Undelivered messages that were not retried. */
export const unsent = 'unsent';

export const statuses: Record<Channel | 'both', Status[]> = {
	both: [],
	email: ['queued', 'sent', 'delivered', 'failed', 'bounced', 'spam'],
	sms: ['queued', 'job_dequeued', 'sent', 'delivered', 'failed']
};

const notArrived: Status[] = ['failed', 'bounced', 'spam'];

export const pageSize = 50;

/** The statuses of a query that exist for a channel. */
function standing<S extends Status>({ channel, status, date }: MessageQuery) {
	const wanted = status === unsent ? notArrived : status ? [status] : [];
	const known = wanted.filter((one) => statuses[channel].includes(one)) as S[];
	return {
		...(known.length ? { statuses: known } : {}),
		...(notArrived.some((one) => one === status) || status === unsent ? { isRetried: false } : {}),
		...(date ? { orderDate: date } : {})
	};
}

export async function listMessages(query: MessageQuery, perPage = pageSize, signal: AbortSignal | null = null): Promise<MessagePage> {
	const common = { page: query.page, perPage, ...(query.orderId === undefined ? {} : { orderId: query.orderId }) };
	if (query.channel === 'both') return messagesOfOrder(query, perPage);
	if (query.channel === 'sms') {
		const body = { ...common, ...standing<Schema<'SMSStatus'>>(query), ...(query.receiver ? { toNumber: query.receiver } : {}) };
		const page = await ask(api.POST('/v1/notifications-log/sms', { body, signal }));
		return { rows: page.smsLogs.map(ofText), total: page.totalRecords, pages: page.numPages };
	}
	const body = { ...common, ...standing<Schema<'EmailStatus'>>(query), ...(query.receiver ? { receiverEmail: query.receiver } : {}) };
	const page = await ask(api.POST('/v1/notifications-log/emails', { body, signal }));
	return { rows: page.emailLogs.map(ofEmail), total: page.totalRecords, pages: page.numPages };
}

/** The emails and text messages of an order, in one list. */
async function messagesOfOrder(query: MessageQuery, perPage: number): Promise<MessagePage> {
	const body = { orderId: query.orderId ?? 0, page: query.page, perPage, ...(query.receiver ? { receiver: query.receiver } : {}) };
	const page = await ask(api.POST('/v1/order-notifications-log', { body }));
	const rows = page.records.flatMap((one) => (one.sms ? [ofText(one.sms)] : one.email ? [ofEmail(one.email)] : []));
	return { rows, total: page.totalRecords, pages: page.numPages };
}

/** How many messages a query finds. */
export const countMessages = async (query: MessageQuery, signal: AbortSignal | null = null): Promise<number> =>
	(await listMessages({ ...query, page: 1 }, 1, signal)).total;

const ofText = (log: Schema<'SMSLog'>): Message => ({
	id: log.smsLogId,
	channel: 'sms',
	event: log.event,
	receiver: log.toNumber,
	subject: log.message,
	status: log.status,
	uncertain: log.uncertain ?? false,
	failure: log.failureReason ?? '',
	orderId: log.orderId,
	retryOf: log.retryOf ?? 0,
	createdAt: log.createdAt
});

const ofEmail = (log: Schema<'EmailLog'>): Message => ({
	id: log.emailLogId,
	channel: 'email',
	event: log.emailType,
	receiver: log.toAddress,
	subject: log.subject,
	status: log.status,
	uncertain: log.uncertain ?? false,
	failure: log.failureReason ?? '',
	orderId: log.orderId,
	retryOf: log.retryOf ?? 0,
	createdAt: log.createdAt
});

/** The steps of one message. */
export function readTimeline(message: Message): Promise<Schema<'NotificationTimeline'>> {
	const params = { path: { id: message.id } };
	return message.channel === 'sms'
		? ask(api.GET('/v1/notifications-log/sms/{id}/timeline', { params }))
		: ask(api.GET('/v1/notifications-log/emails/{id}/timeline', { params }));
}

/** Sends a failed message again. */
export const retry = (message: Message) =>
	ask(api.POST('/v1/notifications/{id}/retry', { params: { path: { id: message.id } } }));

/** Undelivered messages, except superseded ones, which were not meant to be delivered. */
export const failed = (message: Message): boolean =>
	notArrived.some((status) => status === message.status) && message.failure !== 'Superseded';

/** Failures that recur as long as the receiver's address does not change. */
export const deadEnds = ['InvalidAddress', 'RejectedReceiver', 'ReceiverOptedOut', 'Suppressed'];

/** Why a message did not arrive: its failure, or that it bounced. */
export const reasonOf = (message: Message): string => message.failure || (message.uncertain ? 'Uncertain' : '');

/** Whether a retry is useless until the address is corrected or no longer suppressed. */
export const deadEnd = (message: Message): boolean =>
	message.failure ? deadEnds.includes(message.failure) : message.status === 'bounced' || message.status === 'spam';

/** The number of messages by reason, most frequent first. */
export function countReasons(messages: Message[]): { reason: string; status: string; count: number; dead: boolean }[] {
	const counted = new Map<string, { reason: string; status: string; count: number; dead: boolean }>();
	for (const message of messages) {
		const key = reasonOf(message) || message.status;
		const one = counted.get(key) ?? { reason: reasonOf(message), status: message.status, count: 0, dead: deadEnd(message) };
		counted.set(key, { ...one, count: one.count + 1 });
	}
	return [...counted.values()].sort((a, b) => b.count - a.count);
}
