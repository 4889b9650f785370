/** When the store was backed up, and where to. */
export const STORE_BACKUPS = [
  `create table store_backups (
    created_ts integer primary key,
    file text not null,
    bytes integer not null,
    notifications integer not null)`,
];
