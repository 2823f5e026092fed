import type { Deeds, Family } from '../../deeds.ts'

const rails: Deeds = {
  never: [
    'db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:truncate_all|db:migrate:reset|db:schema:load|db:structure:load|db:setup|db:seed:replant',
    'app:update --force',
  ],
  work: ['db:rollback|db:migrate:down|db:migrate:redo|db:environment:set', 'destroy', 'd'],
  valued: 'e',
}

/** Rails and other frameworks in Ruby. */
export const ruby: Family['programs'] = {
  rails,
  rake: rails,
  hanami: { never: ['db drop|reset|clean', 'db structure load'], work: ['db rollback'] },
  sequel: { work: ['-M=0'], valued: 'm M' },
  lotus: { never: ['db drop'] },
}
