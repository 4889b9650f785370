/** For replicas: what the leader shares. */
export const SHARED_STATE = [
  `create table shared_state (
    scope text collate "C" not null,
    name text collate "C" not null,
    value text collate "C" not null,
    revision text collate "C" not null,
    primary key (scope, name))`,
];
