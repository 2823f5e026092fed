import { expect, it } from 'vitest'
import { families } from '../../../src/facts/programs/families.ts'
import type { ProcessWords } from '../../../src/facts/programs/program.ts'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'

const chosenIn = (text: string) =>
  (
    shellFacts(text, { cwd: '/work', home: '/home/u', workspaceRoots: ['/work'] }).commands[0]?.processes?.chosen ?? []
  ).map(({ by, word }) => `${by} ${word.value}`)

/** Every spelling of an option and its value, by the way in which its program reads options. */
function spellings(option: string, value: string, { windows }: ProcessWords): readonly string[] {
  if (windows === 'slashes')
    return [
      `/${option} ${value}`,
      `/${option}:${value}`,
      `//${option.toUpperCase()} ${value}`,
      `/f /${option} ${value}`,
    ]
  if (windows === 'parameters') return [`-${option} ${value}`, `-${option}:${value}`, `-Force -${option} ${value}`]
  return option.length === 1
    ? [`-${option} ${value}`, `-${option}${value}`, `-${option} ${value} -${option}${value}`]
    : [`--${option} ${value}`, `--${option}=${value}`, `--${option}=${value} --${option} ${value}`]
}

const rows = families.flatMap(({ programs }) =>
  Object.entries(programs).flatMap(([keys, { chooses }]) =>
    chooses === undefined ? [] : keys.split(' ').map((name) => [name, chooses] as const),
  ),
)

it.each(rows.filter(([, { options }]) => options !== undefined))(
  'every spelling of an option of `%s` chooses the same processes',
  (program, chooses) => {
    for (const [by, list] of Object.entries(chooses.options ?? {})) {
      // A condition is a text of several words.
      if (by === 'condition') continue
      for (const option of list.split(' '))
        for (const words of spellings(option, '4711', chooses))
          expect([words, ...chosenIn(`${program} ${words}`)]).toContain(`${by} 4711`)
    }
  },
)

it.each([
  ['kill -9 4711 -4712', ['id 4711', 'id -4712']],
  ['kill -1 4711', ['id 4711']],
  ['kill -s KILL -- -1', ['id -1']],
  ['kill -n 9 4711', ['id 4711']],
  ['pkill -9f -u me vite', ['line vite']],
  ['pkill --ful vite', ['line vite']],
  ['pkill -hup vite', ['pattern vite']],
  ['pkill -v vite', ['all ']],
  ['killall -qr vite', ['pattern vite']],
  ['fuser -k -n tcp 3000', ['port 3000/tcp']],
  ['fuser -km /mnt', ['mount /mnt']],
  ['lsof -ti', ['all ']],
  ['lsof -ti:3000', ['port :3000']],
  ['ps -eo pid', ['all ']],
  ['ps -eo pid,args', []],
  ['taskkill /f /fi "IMAGENAME eq a.exe"', ['name a.exe']],
  ['taskkill /f /fi "PID gt 4"', ['owner PID gt 4']],
  [`wmic process where "name like '%a%'" delete`, ['name *a*']],
  ['Stop-Process -Force', ['found ']],
  ['Stop-Process -Id 4711,4712', ['id 4711,4712']],
  ['slay node :3000 4711', ['name node', 'port :3000', 'id 4711']],
])('what a command chooses is read from its entry: %s', (text, chosen) => {
  expect(chosenIn(text)).toEqual(chosen)
})
