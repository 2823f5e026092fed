import { liveByVerbs, type Deeds, namesStage } from '../../deeds/deeds.ts'
import type { Family } from '../../program.ts'
import type { Row } from '../../row.ts'

/** The files that tools of migrations read, named by their options. */
export const ownFiles: Row = { options: 'schema=read config=read url e env' }

export const mvnMigrations: Deeds = {
  says: {
    'liquibase:rollback|flyway:undo': { kind: 'rollback' },
    'flyway:repair': { kind: 'change', object: 'the record of migrations' },
    '*': { kind: 'delete', object: 'everything in the schemas' },
  },
  never: ['flyway:clean', 'liquibase:dropall', 'liquibase:rollback'],
  work: ['flyway:undo|flyway:repair', 'hibernate:drop'],
}

export const gradleMigrations: Deeds = {
  says: {
    'rollback|flywayundo': { kind: 'rollback' },
    flywayrepair: { kind: 'change', object: 'the record of migrations' },
    '*': { kind: 'delete', object: 'everything in the schemas' },
  },
  never: ['flywayclean', 'dropall', 'liquibasedropall', 'rollback'],
  work: ['flywayundo|flywayrepair'],
}

/** Tools that go with any language, and those of Go, Rust, Java, .NET and Elixir. */
export const others: Family['programs'] = {
  dbmate: {
    ...ownFiles,
    does: [
      {
        says: {
          drop: { kind: 'delete', object: 'the database' },
          load: { kind: 'overwrite' },
          '*': { kind: 'rollback' },
        },
        never: ['drop'],
        work: ['down|rollback', 'load'],
        valued: 'u d migrations-dir s',
      },
      namesStage,
    ],
  },
  flyway: {
    ...ownFiles,
    does: [
      {
        says: {
          undo: { kind: 'rollback' },
          'repair|baseline': { kind: 'change', object: 'the record of migrations' },
          migrate: { kind: 'change', trial: 'flyway info' },
          '*': { kind: 'delete', object: 'everything in the schemas' },
        },
        never: ['clean', '* clean', 'migrate clean', 'undo', '--cleandisabled=false'],
        work: ['repair', 'baseline', 'migrate'],
        oneDash: true,
      },
      namesStage,
    ],
  },
  liquibase: {
    ...ownFiles,
    does: [
      {
        says: {
          'dropall|drop-all': { kind: 'delete', object: 'everything in the schema' },
          'rollback*': { kind: 'rollback' },
          update: { kind: 'change', trial: 'liquibase update-sql' },
          '*': { kind: 'change', object: 'the record of migrations' },
        },
        never: [
          'dropall|drop-all',
          'rollback-to-date|rollbacktodate|rollback|rollback-count|rollbackcount',
          'rollback-one-*',
          'clear-checksums|clearchecksums',
        ],
        work: ['update', 'changelog-sync|changelogsync', 'release-locks'],
      },
      namesStage,
    ],
  },
  goose: {
    does: [
      {
        kind: 'rollback',
        never: ['reset', '* * reset', 'down-to 0', '* * down-to 0'],
        work: ['down|redo|down-to', '* * down|redo|down-to'],
        valued: 'dir table',
        oneDash: true,
      },
      namesStage,
    ],
  },
  migrate: {
    does: [
      {
        says: {
          drop: { kind: 'delete' },
          force: { kind: 'change', object: 'the record of migrations' },
          '*': { kind: 'rollback' },
        },
        never: ['drop', 'down --all'],
        work: ['down', 'force'],
        valued: 'path source',
        oneDash: true,
      },
      namesStage,
    ],
  },
  'sql-migrate': { does: { kind: 'rollback', work: ['down', 'redo'] } },

  tern: { does: { kind: 'rollback', work: ['migrate --destination=0'] } },
  soda: {
    does: {
      says: { 'drop|reset': { kind: 'delete', object: 'the database' }, '*': { kind: 'rollback' } },
      never: ['drop|reset'],
      work: ['migrate down'],
    },
  },
  buffalo: { does: { kind: 'delete', object: 'the database', never: ['pop drop|reset', 'db drop|reset'] } },
  bee: { does: { kind: 'rollback', work: ['migrate rollback|reset|refresh'] } },
  diesel: {
    does: [
      {
        says: { database: { kind: 'delete', object: 'the database' }, '*': { kind: 'rollback' } },
        never: ['database reset|drop'],
        work: ['migration revert|redo'],
        valued: 'database-url',
      },
      namesStage,
    ],
  },
  sqlx: {
    does: [
      {
        says: { 'database|db': { kind: 'delete', object: 'the database' }, '*': { kind: 'rollback' } },
        never: ['database drop|reset', 'db drop|reset', 'migrate revert --target-version=0'],
        work: ['migrate revert|rev'],
        valued: 'd database-url',
      },
      namesStage,
    ],
  },
  'sea-orm-cli': {
    does: {
      says: { 'migrate down': { kind: 'rollback' }, '*': { kind: 'delete' } },
      never: ['migrate fresh|refresh|reset'],
      work: ['migrate down'],
      valued: 'd u s',
    },
  },
  refinery: { does: { kind: 'change', object: 'the record of migrations', work: ['migrate --fake'] } },

  'dotnet-ef': {
    does: {
      says: {
        'database drop': { kind: 'delete', object: 'the database', trial: '--dry-run' },
        database: { kind: 'rollback' },
        migrations: { kind: 'delete', thing: 'code', object: 'the last migration of the project' },
      },
      never: ['database drop', 'database update 0'],
      work: ['migrations remove'],
    },
  },
  'update-database': { does: { kind: 'change', work: [''] } },
  'drop-database': { does: { kind: 'delete', object: 'the database', never: [''] } },
  sqitch: {
    does: [
      { kind: 'rollback', never: ['revert'], work: ['rebase', 'checkout'], harmless: ['revert --log-only'] },
      liveByVerbs('publish', 'upload'),
    ],
  },
  bytebase: { does: { kind: 'delete', object: 'the data of the server', work: ['--reset'] } },
}
