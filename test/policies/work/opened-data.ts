import type { Call, WorkKind } from '../../support/work-kinds.ts'

const opening: readonly string[] = [
  'ALTER TABLE notes DISABLE ROW LEVEL SECURITY',
  'alter table public.notes no force row level security;',
  'DROP POLICY "own rows" ON notes',
  'DROP POLICY IF EXISTS own ON notes; SELECT 1',
  'GRANT ALL ON ALL TABLES IN SCHEMA public TO anon',
  'GRANT SELECT ON users TO PUBLIC',
  'GRANT pg_read_all_data TO web',
  'ALTER ROLE web BYPASSRLS',
  'ALTER USER web WITH SUPERUSER',
  'CREATE POLICY open ON notes FOR ALL USING (true)',
  'ALTER POLICY own ON notes USING (true)',
  "CREATE ROLE helper LOGIN SUPERUSER PASSWORD 'x'",
  "GRANT ALL PRIVILEGES ON *.* TO 'web'@'%'",
  'ALTER SERVER ROLE sysadmin ADD MEMBER web',
  'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon',
  'GRANT ROLE ACCOUNTADMIN TO USER web',
  'ALTER TABLE users DROP ROW ACCESS POLICY own',
  'ALTER TABLE users MODIFY COLUMN email UNSET MASKING POLICY',
]

const keeping: readonly string[] = [
  'ALTER TABLE notes ENABLE ROW LEVEL SECURITY',
  "SELECT * FROM pg_policies WHERE tablename = 'notes'",
  'SELECT relrowsecurity FROM pg_class',
  "SELECT 'drop policy own on notes'",
  '-- GRANT ALL ON notes TO PUBLIC\nSELECT 1',
  'REVOKE ALL ON notes FROM PUBLIC',
  'CREATE POLICY own ON notes USING (auth.uid() = user_id)',
  'SHOW GRANTS FOR web',
  'SELECT grantee FROM information_schema.role_table_grants',
  'EXPLAIN SELECT * FROM notes',
]

const by = (sql: string): readonly Call[] => [
  ['mcp__supabase__execute_sql', { project_id: 'abc', query: sql }],
  ['mcp__postgres__query', { sql }],
]

const tools = (sql: string): readonly Call[] => [
  ['mcp__neon__run_sql', { projectId: 'p', sql }],
  ['mcp__toolbox__execute-sql', { statement: sql }],
  ['mcp__neon__run_sql_transaction', { sqlStatements: ['SELECT 1', sql] }],
  ['mcp__mssql__run_query', { params: { query: sql } }],
]

export const openedData: readonly WorkKind[] = [
  {
    kind: 'SQL that opens data to others',
    stopped: [
      ...opening.flatMap(by),
      ...opening.slice(0, 3).flatMap(tools),
      ...opening.map((sql) => `psql "$DATABASE_URL" -c ${JSON.stringify(sql).replaceAll('\\n', ' ')}`),
      "psql -h db.example <<'E'\nBEGIN;\nALTER TABLE notes DISABLE ROW LEVEL SECURITY;\nCOMMIT;\nE",
      "mysql -h db.example -e \"GRANT ALL PRIVILEGES ON *.* TO 'a'@'%' WITH GRANT OPTION\"",
      'npx supabase db query --linked "DROP POLICY own ON notes"',
    ],
    free: [
      ...keeping.flatMap(by),
      ...keeping.slice(0, 4).flatMap(tools),
      'psql "$DATABASE_URL" -c "SELECT * FROM pg_policies"',
      'psql -h localhost app_dev -c "ALTER TABLE notes DISABLE ROW LEVEL SECURITY"',
      'grep -rn "DISABLE ROW LEVEL SECURITY" migrations',
      'git commit -m "Drop policy own on notes"',
    ],
  },
]
