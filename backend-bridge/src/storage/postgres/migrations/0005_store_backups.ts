/** When the store was backed up, and where to. */
export const STORE_BACKUPS = [
  `create table store_backups (
    created_ts bigint primary key,
    file text not null,
    bytes bigint not null,
    notifications bigint not null)`,
];
