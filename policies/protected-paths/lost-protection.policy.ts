import { abstains, ask, asks, definePolicy, type ShellCommand, type TextChange } from 'hookgate/policy'
import { judged, silences } from './edited-files.ts'
import { loosened } from './loosened.ts'
import { lostCheck } from './lost-checks.ts'
import { answersAlways, lostGuard } from './lost-guards.ts'
import { lostTest } from './lost-tests.ts'
import { movedSource, opensAll } from './laid-open.ts'
import { isSafeSetting, opened } from './opened-settings.ts'
import { turnedRound } from './turned-round.ts'
import { weakened } from './weaker.ts'

const edit = (path: string, old_string: string, content: string) =>
  ({ tool: 'edit', input: { path, old_string, content } }) as const

const question = ({ path, at }: TextChange, how: string) =>
  ask(`${path} ${how}: have the person agree, or keep the protection`, at === undefined ? {} : { at })

/** Words that silence a check or skip a test. An editor may put them into files that nobody knows before it runs. */
const silence =
  /nosemgrep|\bnosec\b|@ts-nocheck|eslint-disable|pytest\.mark\.skip|\.skip\(|@Disabled\b|\bt\.Skip\(|gitleaks:allow|assertTrue\(True\)|\bassert\s+True\b|expect\(true\)|assert\(true\)/
const insertsSilence = ({ program, args }: ShellCommand) =>
  /^(?:g?sed|perl)$/.test(program) &&
  args.some(({ value }) => /^-\w*i/.test(value)) &&
  args.some(({ value }) => silence.test(value))

export default definePolicy({
  id: 'lost-protection',
  severity: 'high',
  description: 'Asks before an edit takes away a check, a guard or a security setting, or makes it pass always',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  interest: { access: ['write'] },
  params: {
    weakenableFiles: {
      type: 'strings',
      default: [],
      description: 'files that may lose checks, by the end of their path: `ci/nightly.yml`',
    },
  },
  decide({ event, changes, shell, params }) {
    const mayLose = ({ path }: TextChange) => params.weakenableFiles.some((one) => one !== '' && path.endsWith(one))
    for (const change of changes) {
      const how = mayLose(change) ? undefined : silences(change)
      if (how !== undefined) return question(change, how)
    }
    const at = shell.commands.flatMap((command, index) => (insertsSilence(command) ? [index] : []))
    if (at.length > 0)
      return ask('this would silence checks or skip tests wherever it edits: have the person agree', { at })
    const judgedOnes = changes.flatMap((change) => judged(change, event.workspaceRoots) ?? [])
    const come = judgedOnes.map(({ added }) => added).join('\n')
    for (const change of judgedOnes) {
      if (mayLose(change)) continue
      const what =
        lostCheck(change) ??
        (answersAlways(change) ? 'would let everybody through' : undefined) ??
        lostTest(change) ??
        opened(change) ??
        opensAll(change) ??
        movedSource(change) ??
        turnedRound(change) ??
        loosened(change) ??
        weakened(change, come)
      const guard = what === undefined ? lostGuard(change, come, isSafeSetting) : undefined
      const how = what ?? (guard === undefined ? undefined : `would lose \`${guard.slice(0, 80)}\``)
      if (how !== undefined) return question(change, how)
    }
    return undefined
  },
  examples: [
    asks('a result that does not count', edit('.github/workflows/a.yml', '- run: npm test', '- run: npm test || true')),
    abstains('another one', edit('.github/workflows/a.yml', '- run: npm test', '- run: npm test -- --coverage')),
    asks('a check', edit('Makefile', '\tpytest', '')),
    abstains('another check', edit('Makefile', '\tpytest', '\tuv run pytest')),
    asks('a test', edit('a.test.ts', "it('a'", "it.skip('a'")),
    abstains('a test that counts again', edit('a.test.ts', "it.skip('a'", "it('a'")),
    asks('a guard', edit('src/a.ts', 'if (!verify(token)) throw new Denied()', '')),
    abstains('a guard by another name', edit('src/a.ts', "use('/a', requireAdmin, a)", "use('/a', ensureAdmin, a)")),
    asks('a setting', edit('main.tf', 'prevent_destroy = true', 'prevent_destroy = false')),
    abstains('a setting the other way', edit('main.tf', 'prevent_destroy = false', 'prevent_destroy = true')),
    asks(
      'a condition turned round',
      edit('src/a.ts', "if (role !== 'admin') return no()", "if (role === 'admin') return no()"),
    ),
    abstains('another condition', edit('src/a.ts', 'if (count !== 0) return', 'if (count === 0) return')),
    asks(
      'a parameter',
      edit('src/a.ts', "q('select a from b where c = $1', [d])", 'q(`select a from b where c = ${d}`)'),
    ),
    asks('checks wherever it edits', "sed -i 's/$/ # nosec/' $(git ls-files)"),
    abstains('a search for them', "grep -rn 'nosec' src"),
    asks('by the shell', "sed -i 's/runAsNonRoot: true/runAsNonRoot: false/' k8s/a.yaml"),
    abstains('a text about it', edit('docs/a.md', 'run npm test', 'run npm test || true')),
    abstains('files that may', {
      ...edit('ci/a.yml', '- run: npm test', ''),
      params: { weakenableFiles: ['ci/a.yml'] },
    }),
  ],
})
