extension Schema {
  /// The ledger of triggers. Times are nanoseconds since 1970; `deadline` is of the boot clock.
  ///
  /// The database itself refuses what the code must never do: to change or remove anything, a state that does not
  /// follow, two attempts with one number.
  package static let triggers = Schema(
    applicationID: 0x6261_7274,  // "bart"
    migrations: [
      """
      CREATE TABLE key(
        id INTEGER PRIMARY KEY, environment TEXT NOT NULL, system TEXT NOT NULL, dedupe_key TEXT NOT NULL,
        UNIQUE(environment, system, dedupe_key)) STRICT;
      CREATE TABLE attempt(
        id INTEGER PRIMARY KEY, key INTEGER NOT NULL REFERENCES key(id), number INTEGER NOT NULL, digest TEXT NOT NULL,
        idempotency_key TEXT, valid_for INTEGER NOT NULL, boot TEXT NOT NULL, deadline INTEGER NOT NULL, expires INTEGER NOT NULL,
        flow TEXT NOT NULL, flow_digest TEXT NOT NULL, operator TEXT NOT NULL, run TEXT NOT NULL, UNIQUE(key, number)) STRICT;
      CREATE INDEX attempt_run ON attempt(run);
      CREATE TABLE transition(
        attempt INTEGER NOT NULL REFERENCES attempt(id), sequence INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL,
        by TEXT, reason TEXT, outputs TEXT, PRIMARY KEY(attempt, sequence), UNIQUE(attempt, state)) STRICT, WITHOUT ROWID;
      CREATE TABLE authorisation(
        attempt INTEGER PRIMARY KEY REFERENCES attempt(id), by TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL) STRICT;

      CREATE TABLE successor(state TEXT NOT NULL, next TEXT NOT NULL, PRIMARY KEY(state, next)) STRICT, WITHOUT ROWID;
      INSERT INTO successor VALUES
        ('', 'intended'), ('intended', 'not_sent'), ('intended', 'sent'), ('sent', 'acknowledged'), ('sent', 'rejected'),
        ('sent', 'unknown'), ('unknown', 'resolved_delivered'), ('unknown', 'resolved_not_delivered');
      CREATE TRIGGER transition_follows BEFORE INSERT ON transition
      WHEN NOT EXISTS(
        SELECT 1 FROM successor WHERE next = new.state AND state = coalesce(
          (SELECT t.state FROM transition AS t WHERE t.attempt = new.attempt ORDER BY t.sequence DESC LIMIT 1), ''))
      BEGIN SELECT raise(ABORT, 'this state does not follow'); END;
      CREATE TRIGGER key_is_kept BEFORE UPDATE ON key BEGIN SELECT raise(ABORT, 'keys are kept'); END;
      CREATE TRIGGER key_stays BEFORE DELETE ON key BEGIN SELECT raise(ABORT, 'keys are kept'); END;
      CREATE TRIGGER attempt_is_kept BEFORE UPDATE ON attempt BEGIN SELECT raise(ABORT, 'attempts are kept'); END;
      CREATE TRIGGER attempt_stays BEFORE DELETE ON attempt BEGIN SELECT raise(ABORT, 'attempts are kept'); END;
      CREATE TRIGGER transition_is_kept BEFORE UPDATE ON transition BEGIN SELECT raise(ABORT, 'states are kept'); END;
      CREATE TRIGGER transition_stays BEFORE DELETE ON transition BEGIN SELECT raise(ABORT, 'states are kept'); END;
      CREATE TRIGGER authorisation_is_kept BEFORE UPDATE ON authorisation BEGIN SELECT raise(ABORT, 'words are kept'); END;
      CREATE TRIGGER authorisation_stays BEFORE DELETE ON authorisation BEGIN SELECT raise(ABORT, 'words are kept'); END;
      """
    ])
}
