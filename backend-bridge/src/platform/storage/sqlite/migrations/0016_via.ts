/** The bridges through which a notification has come that is sent on: platform/storage/schema.ts. */
export const VIA = ['alter table outbox add column via text'];
