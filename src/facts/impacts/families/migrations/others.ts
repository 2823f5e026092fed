import type { Family } from '../../deeds.ts'

/** Tools that go with any language, and those of Go, Rust, Java, .NET and Elixir. */
export const others: Family['programs'] = {
  dbmate: { never: ['drop'], work: ['down|rollback', 'load'], valued: 'u e env d migrations-dir s' },
  goose: {
    never: ['reset', '* * reset', 'down-to 0', '* * down-to 0'],
    work: ['down|redo|down-to', '* * down|redo|down-to'],
    valued: 'dir table',
    oneDash: true,
  },
  migrate: { never: ['drop', 'down --all'], work: ['down', 'force'], valued: 'path source', oneDash: true },
  'sql-migrate': { work: ['down', 'redo'] },
  atlas: {
    never: ['schema clean', 'schema apply --auto-approve'],
    work: ['schema apply', 'migrate down'],
    valued: 'u to dev-url env',
  },
  tern: { work: ['migrate --destination=0'] },
  soda: { never: ['drop|reset'], work: ['migrate down'] },
  buffalo: { never: ['pop drop|reset', 'db drop|reset'] },
  bee: { work: ['migrate rollback|reset|refresh'] },
  diesel: { never: ['database reset|drop'], work: ['migration revert|redo'], valued: 'database-url' },
  sqlx: {
    never: ['database drop|reset', 'db drop|reset', 'migrate revert --target-version=0'],
    work: ['migrate revert|rev'],
    valued: 'd database-url',
  },
  'sea-orm-cli': { never: ['migrate fresh|refresh|reset'], work: ['migrate down'], valued: 'd u s' },
  refinery: { work: ['migrate --fake'] },
  flyway: {
    never: ['clean', '* clean', 'migrate clean', 'undo', '--cleandisabled=false'],
    work: ['repair', 'baseline', 'migrate'],
    oneDash: true,
  },
  liquibase: {
    never: [
      'dropall|drop-all',
      'rollback-to-date|rollbacktodate|rollback|rollback-count|rollbackcount',
      'rollback-one-*',
      'clear-checksums|clearchecksums',
    ],
    work: ['update', 'changelog-sync|changelogsync', 'release-locks'],
  },
  mvn: {
    never: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'],
    work: ['flyway:undo|flyway:repair', 'hibernate:drop'],
  },
  mvnw: { never: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'] },
  gradle: { never: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'], work: ['flywayundo|flywayrepair'] },
  gradlew: { never: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'] },
  dotnet: { never: ['ef database drop', 'ef database update 0'], work: ['ef migrations remove', 'ef database update'] },
  'dotnet-ef': { never: ['database drop', 'database update 0'], work: ['migrations remove'] },
  'update-database': { work: [''] },
  'drop-database': { never: [''] },
  sqitch: { never: ['revert'], work: ['rebase', 'checkout'], harmless: ['revert --log-only'] },
  bytebase: { work: ['--reset'] },
  mix: {
    never: [
      'ecto.drop|ecto.reset',
      'do ecto.drop|ecto.reset',
      'do * ecto.drop|ecto.reset',
      'ash.reset|ash.tear_down|ash_postgres.drop|event_store.drop',
      'ecto.load',
    ],
    work: ['ecto.rollback'],
  },
  lein: { work: ['migratus reset|rollback', 'ragtime rollback'] },
  sbt: { work: ['flywayclean'] },
}
