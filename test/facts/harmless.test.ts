import { describe, expect, it } from 'vitest'
import { onlyLooks, withHarmless } from '../../src/facts/harmless/doubts.ts'
import { readRules } from '../../src/facts/programs/looks/line-rules.ts'
import { families } from '../../src/facts/programs/families.ts'
import { impactsIn } from '../../src/facts/impacts/read-impacts.ts'
import type { ShellFacts } from '../../src/model/shell.ts'
import { isAllowed } from '../support/read-only.ts'
import { factsOf } from '../support/shell-facts.ts'

const toldOf = (text: string): ShellFacts => {
  const shell = factsOf(text)
  return withHarmless(text, shell, impactsIn(shell), ['/home/u/proj'])
}

describe('what is known to have an impact', () => {
  it('is harmless by no row of another family', () => {
    const doing = families.flatMap(({ examples = {} }) =>
      Object.entries(examples).flatMap(([command, does]) => (does === '' ? [] : [command])),
    )
    expect(doing.length).toBeGreaterThan(500)
    expect(doing.filter((command) => isAllowed(command))).toEqual([])
  })

  it('is not harmless either where the program’s row says that it is', () => {
    const text = 'kubectl get pods'
    const shell = factsOf(text)
    const [impact] = impactsIn(factsOf('kubectl delete ns a'))
    const told = withHarmless(text, shell, impact === undefined ? [] : [{ ...impact, by: 0 }], [])
    expect(told.commands.map(({ harmless }) => harmless)).toEqual([
      { why: '`kubectl` does more than read', byCall: true },
    ])
    expect(toldOf(text).commands.map(({ harmless }) => harmless)).toEqual([true])
  })
})

/** Every line of every table, with what it refuses. */
const lines = families.flatMap(({ programs }) =>
  Object.entries(programs).flatMap(([names, { looks = [] }]) =>
    [looks].flat().flatMap((look) => {
      if (look === true || typeof look === 'function') return []
      const { lines: written, oneDash } = typeof look === 'string' ? { lines: look } : look
      return readRules(written).map((rule) => ({ program: names.trim().split(/\s+/)[0] ?? '', rule, oneDash }))
    }),
  ),
)

/** The spellings of an option: in full, with a value, cut short, joined to another. */
function spellings(name: string, oneDash: true | undefined): readonly string[] {
  if (name.length === 1) return oneDash === true ? [`-${name}`] : [`-${name}`, `-${name}x`, `-é${name}`]
  const dashes = oneDash === true ? '-' : '--'
  return [`${dashes}${name}`, `${dashes}${name}=x`, `--${name}`]
}

describe('a refused option', () => {
  it('is refused however it is spelled, and wherever it stands', () => {
    const passing = lines.flatMap(({ program, rule, oneDash }) => {
      const words = rule.words.map(([first = '']) => first.replace('*', 'any'))
      const required = rule.required.map(
        ([first = '']) => (first.length === 1 || oneDash === true ? '-' : '--') + first,
      )
      return rule.refused.flatMap((name) =>
        spellings(name, oneDash).flatMap((option) =>
          [
            [...words, ...required, option, 'x'],
            [...words, 'x', ...required, option],
            [...words, ...required, '--', option],
          ].flatMap((args) =>
            onlyLooks({ program, args: args.map((value) => ({ value })) }) ? [`${program} ${args.join(' ')}`] : [],
          ),
        ),
      )
    })
    expect(passing).toEqual([])
  })
})

describe('code that only prints', () => {
  it.each([
    ["awk '/start/{f=1} /end/{f=0} f' a.txt", 'awk \'{print a,\n b > "f"}\' a.txt'],
    ["awk '{s+=$1} END{print s/NR}' a.txt", 'awk \'{x++ / 2; print "a" > "f" / 1}\' a.txt'],
    ["awk '{print /a/ ? 1 : 0}' a.txt", `awk '{print /"/ > "f"} # "' a.txt`],
    ["awk '{print (a > b)}' a.txt", `awk 'NR==1\n/"/ {print > "f"} #"' a.txt`],
    ["awk -F/ '{print $NF}' a.txt", `awk '{print 1 / x / 2 > "f"}' a.txt`],
    ["sed -e 's/[0-9]/x/g' a.txt", "sed -e 's/[/]/x/w f' a.txt"],
    ["sed '/^$/d;s/a/b/;p' a.txt", "sed '/^$/d;s/a/b/e' a.txt"],
    ["sed '1i\\\nw f' a.txt", "sed '1w f' a.txt"],
    ["sqlite3 a.db 'SELECT 1'", 'sqlite3 a.db "SELECT \'--\'; DROP TABLE a"'],
    ["psql -c 'select count(*) from a'", 'psql -c "select pg_read_file(\'a\')"'],
  ])('is `%s`, and not `%s`', (harmless, other) => {
    expect([isAllowed(harmless), isAllowed(other)]).toEqual([true, false])
  })
})

describe('what is shown, or is not what it looks like', () => {
  it.each([
    ['echo "$HOME"', 'echo "$GITHUB_TOKEN"'],
    ['jq .env a.json', "jq -n '$ENV'"],
    ['terraform output', 'terraform output -json'],
    ['export EDITION=1', 'export HOOKGATE_DISABLED=1'],
    ['curl https://example.com/é', 'curl https://githúb.com/a'],
    ["docker inspect -f '{{.State.Status}}' a", "docker inspect -f '{{.Config.Env}}' a"],
    ['GOPROXY=off go vet', 'GOSUMDB=off go vet'],
    ['echo "a b"', 'echo "a\u202Eb"'],
  ])('allows `%s`, and not `%s`', (harmless, other) => {
    expect([isAllowed(harmless), isAllowed(other)]).toEqual([true, false])
  })
})

it('says of the text as a whole what speaks against it', () => {
  expect(toldOf('ls').harmless).toBe(true)
  expect(toldOf('for PATH in a; do ls; done').harmless).toBe('PATH changes what programs do')
  expect(factsOf('ls').harmless).toBeUndefined()
})
