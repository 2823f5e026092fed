import { everywhere, type JudgedChange, linesOf } from './edited-files.ts'

/** Words of commands that verify something and fail if it is not so. */
const checking =
  /(?<![\w/.-])(?:tests?|lint(?:er)?|vet|audit|verify|check|typecheck|type-check|scan|coverage|validate)(?![\w/]|-(?:results?|reports?)|\.\w)|(?<![\w-])(?:py\.?test|vitest|jest|mocha|ava|tox|nox|ctest|rspec|phpunit|eslint|oxlint|biome|ruff|flake8|pylint|mypy|pyright|(?:vue-)?tsc|clippy|rubocop|brakeman|shellcheck|hadolint|golangci-lint|staticcheck|phpstan|psalm|pip-audit|govulncheck|osv-scanner|bandit|semgrep|snyk|trivy|grype|codeql|gitleaks|trufflehog|detect-secrets|checkov|tfsec|tflint|conftest|cosign|slsa-verifier|scorecard|dependency-review|sonar\w*|waitForQualityGate|commitlint|lint-staged|husky|lefthook|pre-commit|playwright test|cypress run)(?!\w|\.(?:config|json|toml|ini))|\b(?:sha|md)\d+sum\s[^\n]*(?:-c|--check|--status)\b|\bshasum\s[^\n]*-c\b|\bgpgv?\b[^\n]*--verify|--verify\b|--check\b|\bnode\b[^\n]*--test\b/i
/** A command that starts others by a name: it may well do the check. */
const delegating =
  /\b(?:make|just|task|mise|bazel|mvnw?|gradlew?|nx|turbo|earthly|dagger|moon|rake|tox|nox)\b|\b(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+(?!install|ci|add|i|publish|build|start|dev|deploy|run\s+(?:build|start|dev|deploy|clean)\b)[\w:-]+|\.\/[\w./-]+|\bscripts?\/|\.sh\b|uses:\s*\.\//i
const installing =
  /\b(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|apt(?:-get)?|apk|dnf|brew|go|cargo|gem|bundle|composer|dotnet)\s+(?:tool\s+|pip\s+|-\S+\s+)*(?:install|add|get|i|ci|sync)\b[^&|;\n]*/i

/** Returns the command of a line; empty for keys, names and targets. */
function commandIn(line: string, path: string): string {
  const inJson = /^\s*"(?!(?:pre|post)?(?:build|dev|start|watch|release|bench)\b)[^"]*"\s*:\s*"(.*)"\s*,?$/.exec(line)
  if (inJson !== null) return path.endsWith('.json') ? (inJson[1] ?? '') : ''
  const keyed = /^\s*(?:-\s+)?([\w.$-]+)\s*:(?=\s|$)\s*(.*)$/.exec(line)
  if (keyed === null) return line
  const [, key = '', value = ''] = keyed
  if (key === 'id' && path.endsWith('.pre-commit-config.yaml')) return `lint ${value}`
  return /^(?:run|script|uses|command|commands|cmd|cmds|entry|before_script|sh|bash|pwsh|powershell|args)$/.test(key)
    ? value
    : ''
}

const commandsIn = (text: string, path: string) =>
  linesOf(text).map((line) => commandIn(line, path).replaceAll(everywhere(installing), ''))

/** A result that is thrown away: the command may fail, and what runs it goes on. */
const swallowed =
  /\|\|\s*(?:true|:|exit\s+0|return\s+0|echo\b[^\n]*)(?=\s*(?:[)"'`\\;,]|$))|;\s*(?:true|exit\s+0)\s*(?:["'`)]|$)/m
const skipping =
  /--exit-zero\b|--no-verify\b|--exit-code[= ]0\b|-DskipTests|-Dmaven\.test\.(?:skip|failure\.ignore)|-x\s+test\b|--soft-fail\b|-SkipTests\b/
const tolerated =
  /^\s*(?:-\s*)?["']?(?:continue-on-error|continueOnError|allow_failure|allowFailure|allow_failures|ignore_errors|soft_fail|ignoreFailures)["']?\s*[:=]\s*(?:true|yes)\b/m
const counted = /^\s*(?:continue-on-error|allow_failure|soft_fail)\s*:\s*(?:false|no)\b/m
const neverRun =
  /^\s*(?:-\s*)?(?:if\s*:\s*(?:\$\{\{\s*)?false\b|when\s*:\s*["']?never|condition\s*:\s*false|skip\s*:\s*true)/m
const stepOf = /^\s*(?:-\s*)?(?:run|uses|script|steps|command|image|stage)\s*:/m
/** A script that does nothing, under the name of a check. */
const emptyScript =
  /"((?:pre|post)?(?:test|lint|check|audit|verify|typecheck|validate)[\w:.-]*)"\s*:\s*"\s*(?:exit 0|true|:|echo\b[^"&|;]*)?\s*(?:\|\|[^"]*|&& exit 0)?"/

/** Returns how a change of commands takes a check away or has it pass always. */
export function lostCheck({ path, removed, added, runs }: JudgedChange): string | undefined {
  if (!runs) return undefined
  const gone = commandsIn(removed, path).filter((one) => checking.test(one))
  const come = commandsIn(added, path)
  if (
    swallowed.test(added) &&
    gone.some((one) => !swallowed.test(one)) &&
    come.some((one) => checking.test(one) && swallowed.test(one))
  )
    return 'would pass even if its check fails'
  if (skipping.test(added) && !skipping.test(removed) && gone.length > 0) return 'would skip its check'
  const [, script] = emptyScript.exec(added) ?? []
  if (script !== undefined && removed.includes(`"${script}"`) && !emptyScript.test(removed))
    return `would have \`${script}\` check nothing`
  if (
    tolerated.test(added) &&
    !tolerated.test(removed) &&
    (gone.length > 0 || counted.test(removed) || !stepOf.test(added))
  )
    return 'would go on when a check fails'
  if (neverRun.test(added) && !neverRun.test(removed) && !stepOf.test(added))
    return 'would no longer run one of its steps'
  const trigger = /^\s*(?:-\s*|on:.*)?\bpull_request\b(?!_)/m
  if (trigger.test(removed) && !trigger.test(added)) return 'would no longer check pull requests'
  const gate =
    /^\s*(?:needs\s*:[^\n]*(?:test|lint|check|verify|audit|scan|build)|environment\s*:\s*(?:name:\s*)?["']?prod)/m
  if (gate.test(removed) && !/^\s*(?:needs|environment)\s*:\s*(?!\[\s*\])/m.test(added) && linesOf(removed).length <= 8)
    return 'would no longer wait for what has to come first'
  if (gone.length > 0 && !come.some((one) => checking.test(one) || delegating.test(one))) return 'would lose a check'
  return undefined
}
