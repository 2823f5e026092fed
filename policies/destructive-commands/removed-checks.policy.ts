import { abstains, answerTo, ask, asks, definePolicy, type ShellCommand, type TouchedPath } from 'hookgate/policy'
import { nameOf } from './deletions.ts'
import { leavesEmpty } from './emptying.ts'

/** Files that say what is checked before a commit, a merge or a release, by their path in a workspace. */
const checks =
  /(?:^|\/)(?:\.husky(?:\/(?!_)[^/]*)?|\.huskyrc|\.git\/hooks(?:\/[\w-]+)?|\.githooks(?:\/[^/]*)?|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-config\.ya?ml|\.overcommit\.yml|\.github\/(?:workflows(?:\/[^/]*\.ya?ml)?|CODEOWNERS|dependabot\.ya?ml)|CODEOWNERS|\.gitlab-ci\.yml|\.circleci(?:\/config\.yml)?|\.travis\.yml|\.drone\.yml|\.woodpecker(?:\.yml|\/[^/]*)|\.buildkite\/[^/]*|Jenkinsfile|azure-pipelines\.yml|bitbucket-pipelines\.yml|\.gitleaks\.toml|\.secretlintrc(?:\.\w+)?|\.semgrep(?:\.yml|ignore)|\.?commitlint(?:rc|\.config)\.\w+|\.lintstagedrc(?:\.\w+)?)$/

/** Words in a step that checks something. */
const step =
  'tests?|lint|check|audit|scan|verify|validate|typecheck|tsc|mypy|ruff|eslint|pytest|vet|clippy|semgrep|codeql|trivy|gitleaks|snyk|coverage|pre-commit'
const isStep = (text: string) => new RegExp(`\\b(?:\\w+-)?(?:${step})\\b`, 'i').test(text)

/** True if a line makes a step pass, whatever the step finds. */
const passes = (line: string) =>
  /continue-on-error:\s*true|allow_failure:\s*true/.test(line) ||
  (/\|\|\s*(?:true|:|exit 0)/.test(line) && isStep(line))

/** True if a text checks nothing: it is empty, or only reports success. */
const checksNothing = (text: string) =>
  text
    .split('\n')
    .every((line) =>
      /^\s*(?:#.*|exit(?: 0)?|true|:|\{\s*\}|\[\s*\]|(?:repos|jobs):\s*(?:\[\s*\]|\{\s*\})?)?\s*;?\s*$/.test(line),
    )

/** True if a script of a stream editor such as `sed` or `yq` takes a step out, or makes it pass. */
function weakens(script: string): boolean {
  if (/\bdel\(|(?:continue-on-error|allow_failure)["']?\]?\s*=\s*true/.test(script)) return true
  const deleted = /\/((?:[^/\\]|\\.)*)\/[,\d$+~/\w. -]*d\b/.exec(script)?.[1]
  if (deleted !== undefined && isStep(deleted)) return true
  if (/^\s*\d*[iac]\\?\s*exit 0/.test(script)) return true
  const [, , from = '', to = ''] = /\bs([/|#,@!])((?:(?!\1)[^\\]|\\.)*)\1((?:(?!\1)[^\\]|\\.)*)\1/.exec(script) ?? []
  if (to === '' && from === '') return false
  return passes(to) || to.startsWith('#') || (isStep(from) && checksNothing(to))
}

/** True if a command makes a file's new content of the old one, as a stream editor does. */
const edits = ({ paths }: ShellCommand, { absolute }: TouchedPath) =>
  paths.some((one) => one.access === 'read' && one.metadata !== true && one.absolute === absolute)

/** Returns how a command takes a check away from a file; `undefined` if it does not. */
function lossIn(command: ShellCommand, path: TouchedPath): string | undefined {
  const { access, metadata, inRoot } = path
  if (inRoot === undefined || access === 'read' || !checks.test(inRoot)) return undefined
  // git leaves out hooks that cannot be run.
  if (metadata === true) return path.rights?.includes('runs-not') === true ? 'keep git from running' : undefined
  // Under a new name it still checks.
  const isRenamed = command.paths.some((one) => one.access === 'write' && checks.test(one.inRoot ?? ''))
  if (access === 'delete') return isRenamed ? undefined : 'take away'
  if (access !== 'write') return undefined
  if (edits(command, path)) return command.args.some(({ value }) => weakens(value)) ? 'weaken' : undefined
  const text = leavesEmpty(command, path) ? '' : command.writes
  if (text === undefined) return undefined
  return checksNothing(text) ? 'empty' : text.split('\n').some(passes) ? 'weaken' : undefined
}

export default definePolicy({
  id: 'removed-checks',
  severity: 'medium',
  description:
    "Asks before a project's own checks are taken away: hooks, their managers, steps of continuous integration",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['write', 'delete'], impacts: ['checks'] },
  decide({ shell, impacts }) {
    const impact = impacts.find(({ area }) => area === 'checks')
    if (impact !== undefined) return answerTo(impact)
    for (const [at, command] of shell.commands.entries()) {
      for (const path of command.paths) {
        const loss = lossIn(command, path)
        if (loss !== undefined)
          return ask(
            `this would ${loss} ${nameOf(path)}, by which the project checks itself: fix what it finds, or let the person decide`,
            { at },
          )
      }
    }
    return undefined
  },
  examples: [
    asks('a hook', 'rm .husky/pre-commit'),
    abstains('another file', 'rm husky/pre-commit'),
    asks('hooks that are emptied', ': > .pre-commit-config.yaml'),
    asks('a hook that ends well at once', "echo 'exit 0' > .husky/pre-push"),
    abstains('a hook that checks', "echo 'npm test' > .husky/pre-push"),
    asks('a hook that cannot be run', 'chmod -x .git/hooks/pre-commit'),
    abstains('one that can', 'chmod 755 .git/hooks/pre-commit'),
    asks('a workflow under a name by which it does not run', 'mv .github/workflows/ci.yml ci.yml.off'),
    abstains('a workflow under another name', 'mv .github/workflows/ci.yml .github/workflows/build.yml'),
    asks('a step that always passes', "sed -i 's/npm test/npm test || true/' .github/workflows/ci.yml"),
    abstains('a step that may fail again', "sed -i 's/npm test || true/npm test/' .github/workflows/ci.yml"),
    asks('a step that is deleted', "sed -i '/run: npm run lint/d' .gitlab-ci.yml"),
    abstains('another line', "sed -i '/node-version/d' .gitlab-ci.yml"),
    asks('a step that becomes a comment', "sed -i 's/^npx/# npx/' .husky/pre-commit"),
    asks('written anew', "printf 'test:\\n  script: npm test || true\\n' | tee .gitlab-ci.yml"),
    abstains('written anew, with all it has', "printf 'test:\\n  script: npm test\\n' | tee .gitlab-ci.yml"),
    asks('a manager of hooks', 'pre-commit uninstall'),
    abstains('its hooks', 'pre-commit install'),
    asks('a script of the project', 'npm pkg set scripts.test="exit 0"'),
    abstains('another one', 'npm pkg set scripts.test="vitest run"'),
    abstains('what a program prints', 'node print-ci.js > .gitlab-ci.yml'),
  ],
})
