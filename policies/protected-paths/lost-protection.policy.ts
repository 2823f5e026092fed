import { abstains, ask, asks, definePolicy, impactReason } from 'hookgate/policy'

const edit = (path: string, old_string: string, content: string) =>
  ({ tool: 'edit', input: { path, old_string, content } }) as const

export default definePolicy({
  id: 'lost-protection',
  severity: 'high',
  description: 'Asks before an edit takes away a check, a guard or a security setting, or makes it pass always',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit', 'mcp', 'other'],
  interest: { impacts: ['protection'] },
  params: {
    weakenableFiles: {
      type: 'strings',
      default: [],
      description: 'files that may lose checks, by the end of their path: `ci/nightly.yml`',
    },
  },
  decide({ impacts, params }) {
    const mayLose = (file: string) => params.weakenableFiles.some((one) => one !== '' && file.endsWith(one))
    const lost = impacts.find(
      ({ area, targets: { file = [] } }) => area === 'protection' && !(file.length > 0 && file.every(mayLose)),
    )
    return lost && ask(impactReason(lost), typeof lost.by === 'number' ? { at: lost.by } : {})
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
