/** When what went out over channels was first seen in the inbox: platform/storage/schema.ts. */
export const DELIVERY_SEEN = ['alter table outbox add column seen_ts integer'];
