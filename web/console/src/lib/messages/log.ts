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
	/** Where the messages stand; all when it is empty, and what nobody got and nobody sent again when it is `unsent`. */
	status: Status | typeof unsent | '';
	/** The day of their orders; all when it is empty. */
	date: string;
	page: number;
}

export type Status = Schema<'EmailStatus'> | Schema<'SMSStatus'>;

/** What nobody got, and what nobody has sent again. */
export const unsent = 'unsent';

export const statuses: Record<Channel, Status[]> = {
	email: ['queued', 'sent', 'delivered', 'failed', 'bounced', 'spam'],
	sms: ['queued', 'job_dequeued', 'sent', 'delivered', 'failed']
};

const notArrived: Status[] = ['failed', 'bounced', 'spam'];

export const pageSize = 50;

/** What a query says of where messages stand, as far as a channel knows it. */
function standing<S extends Status>({ channel, status, date }: MessageQuery) {
	const wanted = status === unsent ? notArrived : status ? [status] : [];
	const known = wanted.filter((one) => statuses[channel].includes(one)) as S[];
	return {
		...(known.length ? { statuses: known } : {}),
		...(status === unsent ? { isRetried: false } : {}),
		...(date ? { orderDate: date } : {})
	};
}

export async function listMessages(query: MessageQuery, perPage = pageSize): Promise<MessagePage> {
	const common = { page: query.page, perPage, ...(query.orderId === undefined ? {} : { orderId: query.orderId }) };
	if (query.channel === 'sms') {
		const body = { ...common, ...standing<Schema<'SMSStatus'>>(query), ...(query.receiver ? { toNumber: query.receiver } : {}) };
		const page = await ask(api.POST('/v1/notifications-log/sms', { body }));
		return { rows: page.smsLogs.map(ofText), total: page.totalRecords, pages: page.numPages };
	}
	const body = { ...common, ...standing<Schema<'EmailStatus'>>(query), ...(query.receiver ? { receiverEmail: query.receiver } : {}) };
	const page = await ask(api.POST('/v1/notifications-log/emails', { body }));
	return { rows: page.emailLogs.map(ofEmail), total: page.totalRecords, pages: page.numPages };
}

/** How many messages a query finds. */
export const countMessages = async (query: MessageQuery): Promise<number> => (await listMessages({ ...query, page: 1 }, 1)).total;

/** How many emails and text messages for the orders of a day nobody got, and nobody has sent again. */
export async function countUnsent(date: string): Promise<Record<Channel, number>> {
	const count = (channel: Channel) =>
		countMessages({ channel, receiver: '', orderId: undefined, status: unsent, date, page: 1 });
	const [email, sms] = await Promise.all([count('email'), count('sms')]);
	return { email, sms };
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
