import type { CliTable } from '../cli/judge.ts'

/** Tools that go with any language, and those of Go, Rust, Java, .NET and Elixir. */
export const others: CliTable = {
  dbmate: { deny: ['drop'], ask: ['down|rollback', 'load'], valued: 'u e env d migrations-dir s' },
  goose: {
    deny: ['reset', '* * reset', 'down-to 0', '* * down-to 0'],
    ask: ['down|redo|down-to', '* * down|redo|down-to'],
    valued: 'dir table',
    oneDash: true,
  },
  migrate: { deny: ['drop', 'down --all'], ask: ['down', 'force'], valued: 'path source', oneDash: true },
  'sql-migrate': { ask: ['down', 'redo'] },
  atlas: {
    deny: ['schema clean', 'schema apply --auto-approve'],
    ask: ['schema apply', 'migrate down'],
    valued: 'u to dev-url env',
  },
  tern: { ask: ['migrate --destination=0'] },
  soda: { deny: ['drop|reset'], ask: ['migrate down'] },
  buffalo: { deny: ['pop drop|reset', 'db drop|reset'] },
  bee: { ask: ['migrate rollback|reset|refresh'] },
  diesel: { deny: ['database reset|drop'], ask: ['migration revert|redo'], valued: 'database-url' },
  sqlx: {
    deny: ['database drop|reset', 'db drop|reset', 'migrate revert --target-version=0'],
    ask: ['migrate revert|rev'],
    valued: 'd database-url',
  },
  'sea-orm-cli': { deny: ['migrate fresh|refresh|reset'], ask: ['migrate down'], valued: 'd u s' },
  refinery: { ask: ['migrate --fake'] },
  flyway: {
    deny: ['clean', '* clean', 'migrate clean', 'undo', '--cleandisabled=false'],
    ask: ['repair', 'baseline', 'migrate'],
    oneDash: true,
  },
  liquibase: {
    deny: [
      'dropall|drop-all',
      'rollback-to-date|rollbacktodate|rollback|rollback-count|rollbackcount',
      'rollback-one-*',
      'clear-checksums|clearchecksums',
    ],
    ask: ['update', 'changelog-sync|changelogsync', 'release-locks'],
  },
  mvn: {
    deny: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'],
    ask: ['flyway:undo|flyway:repair', 'hibernate:drop'],
  },
  mvnw: { deny: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'] },
  gradle: { deny: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'], ask: ['flywayundo|flywayrepair'] },
  gradlew: { deny: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'] },
  dotnet: { deny: ['ef database drop', 'ef database update 0'], ask: ['ef migrations remove', 'ef database update'] },
  'dotnet-ef': { deny: ['database drop', 'database update 0'], ask: ['migrations remove'] },
  'update-database': { ask: [''] },
  'drop-database': { deny: [''] },
  sqitch: { deny: ['revert'], ask: ['rebase', 'checkout'], harmless: ['revert --log-only'] },
  bytebase: { ask: ['--reset'] },
  mix: {
    deny: [
      'ecto.drop|ecto.reset',
      'do ecto.drop|ecto.reset',
      'do * ecto.drop|ecto.reset',
      'ash.reset|ash.tear_down|ash_postgres.drop|event_store.drop',
      'ecto.load',
    ],
    ask: ['ecto.rollback'],
  },
  lein: { ask: ['migratus reset|rollback', 'ragtime rollback'] },
  sbt: { ask: ['flywayclean'] },
}
