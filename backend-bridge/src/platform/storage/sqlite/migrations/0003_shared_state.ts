/** For replicas: what the leader shares. */
export const SHARED_STATE = [
  `create table shared_state (scope text not null, name text not null, value text not null, revision text not null,
    primary key (scope, name)) without rowid`,
];
