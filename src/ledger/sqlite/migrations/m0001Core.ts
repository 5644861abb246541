/**
 * First schema. Names as in design §6. Times are INTEGER milliseconds since the epoch, UTC (O-21); JSON columns hold
 * text that the row schemas parse. `AuditEvents` only grows: the triggers refuse everything but the next event.
 */
export const m0001Core = `
CREATE TABLE Texts (
  TextId TEXT PRIMARY KEY,
  Tenant TEXT NOT NULL,
  Owner TEXT NOT NULL,
  RunId TEXT,
  Text TEXT,
  Salt TEXT,
  CreatedAt INTEGER NOT NULL,
  ErasedAt INTEGER
) STRICT;

CREATE TABLE People (
  Tenant TEXT NOT NULL,
  Oid TEXT NOT NULL,
  DisplayName TEXT,
  FirstSeenAt INTEGER NOT NULL,
  ErasedAt INTEGER,
  PRIMARY KEY (Tenant, Oid)
) STRICT;

CREATE TABLE Runs (
  RunId TEXT PRIMARY KEY,
  Tenant TEXT NOT NULL,
  Requester TEXT NOT NULL,
  Status TEXT NOT NULL,
  Control TEXT NOT NULL,
  Held INTEGER NOT NULL,
  GoalText TEXT NOT NULL REFERENCES Texts (TextId),
  RequestText TEXT NOT NULL REFERENCES Texts (TextId),
  Locale TEXT NOT NULL,
  RequestDigest TEXT NOT NULL,
  IdempotencyKey TEXT,
  Roles TEXT NOT NULL,
  InstanceId TEXT NOT NULL,
  PlanDigest TEXT,
  WarrantDigest TEXT,
  PolicyVersion TEXT,
  Headline TEXT,
  Error TEXT,
  CreatedAt INTEGER NOT NULL,
  StartedAt INTEGER,
  EndedAt INTEGER,
  DeadlineAt INTEGER,
  RowVersion INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX RunsByIdempotencyKey ON Runs (Tenant, Requester, IdempotencyKey) WHERE IdempotencyKey IS NOT NULL;
CREATE INDEX RunsByAge ON Runs (Tenant, CreatedAt DESC, RunId DESC);

CREATE TABLE Plans (
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  Revision INTEGER NOT NULL,
  PlanDigest TEXT NOT NULL,
  PlanText TEXT NOT NULL REFERENCES Texts (TextId),
  WarrantDigest TEXT NOT NULL,
  Warrant TEXT NOT NULL,
  Schedule TEXT NOT NULL,
  Findings TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  PRIMARY KEY (RunId, Revision)
) STRICT;

CREATE TABLE WorkflowOperations (
  OperationKey TEXT PRIMARY KEY,
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  NodeId TEXT NOT NULL,
  Item INTEGER NOT NULL,
  PlanDigest TEXT NOT NULL,
  ArgsDigest TEXT NOT NULL,
  Tool TEXT NOT NULL,
  Effect TEXT NOT NULL,
  State TEXT NOT NULL,
  Attempt INTEGER NOT NULL,
  FencingToken INTEGER NOT NULL,
  OwnerUntil INTEGER NOT NULL,
  ExternalJobId TEXT,
  ResultUri TEXT,
  ResultDigest TEXT,
  ErrorCode TEXT,
  ErrorClass TEXT,
  ErrorMessage TEXT,
  Checks TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  UpdatedAt INTEGER NOT NULL,
  RowVersion INTEGER NOT NULL
) STRICT;
CREATE INDEX OperationsByRun ON WorkflowOperations (RunId, NodeId, Item);

CREATE TABLE Decisions (
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  Seq INTEGER NOT NULL,
  NodeId TEXT NOT NULL,
  Item INTEGER NOT NULL,
  Kind TEXT NOT NULL,
  Attempt INTEGER NOT NULL,
  Reason TEXT NOT NULL,
  PRIMARY KEY (RunId, Seq)
) STRICT;

CREATE TABLE Artifacts (
  Id TEXT PRIMARY KEY,
  OperationKey TEXT NOT NULL REFERENCES WorkflowOperations (OperationKey),
  Tenant TEXT NOT NULL,
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  NodeId TEXT NOT NULL,
  Item INTEGER NOT NULL,
  Output TEXT NOT NULL,
  Sha256 TEXT NOT NULL,
  Bytes INTEGER NOT NULL,
  MediaType TEXT NOT NULL,
  FileName TEXT NOT NULL,
  Type TEXT NOT NULL,
  Labels TEXT NOT NULL,
  BlobName TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  UNIQUE (RunId, NodeId, Item, Output)
) STRICT;

CREATE TABLE Uploads (
  Tenant TEXT NOT NULL,
  Owner TEXT NOT NULL,
  Sha256 TEXT NOT NULL,
  Bytes INTEGER NOT NULL,
  MediaType TEXT NOT NULL,
  NameText TEXT NOT NULL REFERENCES Texts (TextId),
  BlobName TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  PRIMARY KEY (Tenant, Owner, Sha256)
) STRICT;

CREATE TABLE RunUploads (
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  Sha256 TEXT NOT NULL,
  Tenant TEXT NOT NULL,
  Owner TEXT NOT NULL,
  Bytes INTEGER NOT NULL,
  MediaType TEXT NOT NULL,
  NameText TEXT NOT NULL REFERENCES Texts (TextId),
  BlobName TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  PRIMARY KEY (RunId, Sha256)
) STRICT;
CREATE INDEX RunUploadsByDigest ON RunUploads (Tenant, Sha256);

CREATE TABLE Grants (
  Tenant TEXT NOT NULL,
  Oid TEXT NOT NULL,
  Roles TEXT NOT NULL,
  UpdatedAt INTEGER NOT NULL,
  PRIMARY KEY (Tenant, Oid)
) STRICT;

CREATE TABLE AuditEvents (
  Id INTEGER PRIMARY KEY,
  RunId TEXT NOT NULL,
  Seq INTEGER NOT NULL,
  At INTEGER NOT NULL,
  Type TEXT NOT NULL,
  NodeId TEXT,
  Actor TEXT NOT NULL,
  Data TEXT NOT NULL,
  PrevHash TEXT NOT NULL,
  Hash TEXT NOT NULL,
  UNIQUE (RunId, Seq)
) STRICT;
CREATE TABLE AuditHead (
  One INTEGER PRIMARY KEY CHECK (One = 1),
  Id INTEGER NOT NULL,
  Hash TEXT NOT NULL
) STRICT;
INSERT INTO AuditHead VALUES (1, 0, '');

CREATE TRIGGER AuditEventsNoUpdate BEFORE UPDATE ON AuditEvents
BEGIN SELECT RAISE(ABORT, 'AuditEvents is append-only'); END;
CREATE TRIGGER AuditEventsNoDelete BEFORE DELETE ON AuditEvents
BEGIN SELECT RAISE(ABORT, 'AuditEvents is append-only'); END;
-- INSERT OR REPLACE would delete without a DELETE trigger: only the next id may be inserted.
CREATE TRIGGER AuditEventsNextOnly BEFORE INSERT ON AuditEvents
WHEN NEW.Id IS NOT (SELECT Id + 1 FROM AuditHead)
  OR EXISTS (SELECT 1 FROM AuditEvents WHERE RunId = NEW.RunId AND Seq = NEW.Seq)
BEGIN SELECT RAISE(ABORT, 'AuditEvents is append-only'); END;
`;
