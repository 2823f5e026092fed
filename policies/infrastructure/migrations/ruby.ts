import type { Cli, CliTable } from '../cli/judge.ts'

const rails: Cli = {
  deny: [
    'db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:truncate_all|db:migrate:reset|db:schema:load|db:structure:load|db:setup|db:seed:replant',
    'app:update --force',
  ],
  ask: ['db:rollback|db:migrate:down|db:migrate:redo|db:environment:set', 'destroy', 'd'],
  valued: 'e',
}

/** Rails and other frameworks in Ruby. */
export const ruby: CliTable = {
  rails,
  rake: rails,
  hanami: { deny: ['db drop|reset|clean', 'db structure load'], ask: ['db rollback'] },
  sequel: { ask: ['-M=0'], valued: 'm M' },
  lotus: { deny: ['db drop'] },
}
