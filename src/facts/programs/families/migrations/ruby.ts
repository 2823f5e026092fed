import { platformStage } from '../../deeds/stages.ts'
import type { Family } from '../../program.ts'
import type { Deeds } from '../../deeds/deeds.ts'

export const rails: Deeds = {
  says: {
    'db:rollback|db:migrate:*': { kind: 'rollback' },
    'db:truncate_all': { kind: 'delete', object: 'all rows of the database' },
    'db:seed:replant': { kind: 'overwrite', object: 'all rows of the database' },
    'db:schema:load|db:structure:load|db:setup': { kind: 'overwrite', object: 'the database' },
    'db:environment:set': { kind: 'change', object: 'the protection of the database' },
    'app:update': { kind: 'overwrite', thing: 'code', object: 'the settings of the project' },
    'destroy|d': { kind: 'delete', thing: 'code', object: 'the generated code' },
    'db:*': { kind: 'delete', object: 'the database' },
  },
  never: [
    'db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:truncate_all|db:migrate:reset|db:schema:load|db:structure:load|db:setup|db:seed:replant',
    'app:update --force',
  ],
  work: ['db:rollback|db:migrate:down|db:migrate:redo|db:environment:set', 'destroy', 'd'],
  valued: 'e',
}

/** Rails and other frameworks in Ruby. */
export const ruby: Family['programs'] = {
  rails: { does: [rails, platformStage] },
  hanami: {
    does: {
      says: {
        'db rollback': { kind: 'rollback' },
        'db structure': { kind: 'overwrite', object: 'the database' },
        db: { kind: 'delete', object: 'the database' },
      },
      never: ['db drop|reset|clean', 'db structure load'],
      work: ['db rollback'],
    },
  },
  sequel: { does: { kind: 'rollback', work: ['-M=0'], valued: 'm M' } },
  lotus: { does: { kind: 'delete', object: 'the database', never: ['db drop'] } },
}
