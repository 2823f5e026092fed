import type { Call } from '../../../model/calls.ts'
import type { Family } from '../deeds.ts'
import { javascript } from './migrations/javascript.ts'
import { others } from './migrations/others.ts'
import { php } from './migrations/php.ts'
import { projectTasks } from './migrations/project-tasks.ts'
import { python } from './migrations/python.ts'
import { ruby } from './migrations/ruby.ts'

/** Frameworks read of these which of their databases is meant; an address goes before them. */
const environments = /^(?:RAILS|RACK|MIX|HANAMI|APP|NODE)_ENV$/

/** True if a command names the test database, which is rebuilt for each run of the tests. */
function isForTests({ program, args, environment }: Call): boolean {
  // Rake takes variables behind its tasks as well, and these win.
  const behind = /^(?:rails|rake)$/.test(program)
    ? args.flatMap((value) => {
        const [, name] = /^([A-Z]\w*)=/.exec(value.value) ?? []
        return name === undefined ? [] : [{ name, value: { ...value, value: value.value.slice(name.length + 1) } }]
      })
    : []
  const all = [...environment, ...behind]
  const says = all.filter(({ name }) => environments.test(name))
  return (
    /^(?:rails|rake|hanami|mix|php|artisan|sequelize|sequelize-cli|knex|npm|pnpm|yarn)$/.test(program) &&
    says.length > 0 &&
    says.every(({ value }) => /^test(?:ing)?$/.test(value.value)) &&
    !all.some(({ name }) => /DATABASE|DB_|_URL$|_HOST$/.test(name))
  )
}

/** Tools that change the tables of a project's database, and what projects call their own tasks for that. */
export const migrations: Family = {
  area: 'migrations',
  thing: 'data',
  when: (call) => !isForTests(call),
  programs: { ...ruby, ...php, ...python, ...javascript, ...others, ...projectTasks },
}
