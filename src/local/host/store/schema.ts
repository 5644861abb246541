/** Tables of the host's store. Event JSON is kept as text: re-serialising could change numbers or key presence. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS instances (
  instance_id TEXT PRIMARY KEY, execution_id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
  status TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
  input TEXT, output TEXT, custom_status TEXT, parent TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS instances_by_creation ON instances (created_ms, instance_id);
CREATE TABLE IF NOT EXISTS history (
  instance_id TEXT NOT NULL, position INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (instance_id, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, instance_id TEXT NOT NULL, execution_id TEXT,
  is_timer INTEGER NOT NULL, due_ms INTEGER NOT NULL, event TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS inbox_by_instance ON inbox (instance_id, due_ms, seq);
CREATE INDEX IF NOT EXISTS inbox_timers ON inbox (due_ms) WHERE is_timer = 1;
CREATE TABLE IF NOT EXISTS activities (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, instance_id TEXT NOT NULL, execution_id TEXT NOT NULL,
  task_id INTEGER NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS timer_monitor (
  function_name TEXT PRIMARY KEY, last_ms INTEGER NOT NULL, next_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
`;
