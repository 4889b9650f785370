/** Packages and their settings. Columns: platform/storage/schema.ts. */
import { integer, optional, real, table, text } from '../../tables.ts';

export const PACKAGES = {
  packages: table(
    {
      dnp_name: text,
      revision: text,
      version: text,
      type: text,
      dialect: text,
      manifest: text,
      notifications: optional(text),
      compose: optional(text),
      targets: optional(text),
      dashboards: optional(text),
      files_dir: optional(text),
      origin_file: optional(text),
      registered_ts: integer,
      registered_by: optional(text),
      updated_ts: integer,
    },
    'dnp_name'
  ),
  // Approvals, history and settings are kept when the package is removed.
  package_approvals: table(
    { dnp_name: text, seq: integer, ts: integer, version: text, message: text, approved_by: optional(text) },
    'dnp_name, seq'
  ),
  package_history: table(
    {
      dnp_name: text,
      seq: integer,
      ts: integer,
      action: text,
      version: text,
      from_version: optional(text),
      done_by: optional(text),
    },
    'dnp_name, seq'
  ),
  settings: table(
    {
      dnp_name: text,
      correlation_id: text,
      member: text,
      file: text,
      value: real,
      shipped: optional(real),
      subject: optional(text),
      ts: integer,
      set_by: optional(text),
    },
    'dnp_name, correlation_id, member, file'
  ),
  settings_history: table(
    {
      id: integer,
      ts: integer,
      set_by: optional(text),
      file: optional(text),
      category: optional(text),
      dnp_name: optional(text),
      correlation_id: optional(text),
      member: text,
      old_value: optional(real),
      new_value: optional(real),
    },
    'id',
    { settings_history_package: 'dnp_name, id' }
  ),
  shipped_off: table({ dnp_name: text, correlation_id: text }, 'dnp_name, correlation_id'),
  // A node in this table that is behind after a restart of the bridge has fallen behind; it is not in its first sync.
  synced_nodes: table({ dnp_name: text }, 'dnp_name'),
};
