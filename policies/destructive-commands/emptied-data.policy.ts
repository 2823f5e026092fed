import { abstains, ask, asks, definePolicy, placedName } from 'hookgate/policy'
import { aroundOf, nameOf } from './deletions.ts'
import { leavesEmpty } from './emptying.ts'
import { placeOf } from './places.ts'

/** Files in which programs keep data, by their names; those for tests are made anew by the tests. */
const data = /\.(?:sqlite3?|s3db|db3?|mdb|accdb|rdb|aof|duckdb|realm|ldb|mdf|ndf|ibd|dbf|kdbx?)(?:-wal)?$/i
const ofTests = /(?:^|[/_.-])(?:tests?|fixtures?|__tests__|tmp|temp|cache|build|dist)(?:[/_.-]|$)/i

export default definePolicy({
  id: 'emptied-data',
  severity: 'high',
  description: 'Asks before a file of a database is emptied',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['write'] },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    for (const [at, command] of shell.commands.entries()) {
      const path = command.paths.find(
        (one) =>
          data.test(one.pattern ?? one.absolute ?? one.written) &&
          !ofTests.test(one.inRoot ?? '') &&
          placeOf(one, around) !== 'in-temp' &&
          leavesEmpty(command, one),
      )
      if (path !== undefined)
        return ask(
          `this would empty ${placedName(nameOf(path), path, command, shell)}, with all data in it: make a copy first`,
          { at },
        )
    }
    return undefined
  },
  examples: [
    asks('by a redirection', ': > data/app.sqlite'),
    asks('by nothing that is printed', "printf '' > app.db"),
    abstains('by something that is', 'zcat backup.gz > app.db'),
    asks('by a program', 'truncate -s0 app.sqlite3'),
    abstains('another file', 'truncate -s0 app.log'),
    asks('by nothing in its place', 'cp /dev/null app.db'),
    abstains('by another file in its place', 'cp seed.db app.db'),
    asks('through a pipe', 'cat /dev/null | tee app.db'),
    asks('by inline code', `python3 -c "open('app.db', 'w').close()"`),
    abstains('inline code that opens it', `python3 -c "open('app.db', 'rb').read()"`),
    abstains('one for tests', ': > tests/fixtures/empty.db'),
    abstains('a temporary one', 'truncate -s 0 /tmp/x.db'),
    abstains('one that is made', 'touch app.db'),
  ],
})
