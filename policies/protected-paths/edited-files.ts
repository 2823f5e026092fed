import type { TextChange } from 'hookgate/policy'

/** Files that only talk about what others do, or that programs write. */
const prose =
  /(?<!cmakelists|requirements[\w.-]*)\.txt$|\.(?:mdx?|markdown|rst|adoc|org|html?|svg|csv|tsv|snap|po|log|lock|jsonl|ipynb)$|(?:^|\/)(?:changelog|license|notice|codeowners\.md)$|(?:^|[/.-])lock\.(?:json|ya?ml)$|(?:^|\/)go\.sum$/i
const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__mocks__|mocks?|testdata|testing|cypress|benches|bench)\/|(?:[._-](?:test|tests|spec|stories|e2e|cy)|Tests?|Spec)\.\w+$|(?:^|\/)test_[^/]+$/
/** Files that run on one's own machine only, or are examples. */
const own =
  /(?:^|[./_-])(?:dev|devel|development|local|example|examples|sample|samples|demo|playground|sandbox|docs?|test|testing)(?=[./_-]|$)/i
/** Files whose lines are commands, run by a service, by a tool of the project or by git. */
const running =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/[^\n]+|\.gitlab-ci[\w.-]*|\.gitlab\/ci\/[^\n]+|\.circleci\/[^\n]+|jenkinsfile[\w.-]*|azure-pipelines[\w.-]*|bitbucket-pipelines\.yml|\.travis\.yml|\.drone\.yml|\.woodpecker[\w./-]*|\.buildkite\/[^\n]+|cloudbuild\.ya?ml|buildspec\.ya?ml|\.?appveyor\.yml|codemagic\.yaml|\.husky\/[^\n]+|\.?lefthook[\w.-]*|\.githooks\/[^\n]+|\.git\/hooks\/[^\n]+|\.pre-commit-config\.yaml|\.lintstagedrc[\w.]*|package\.json|composer\.json|deno\.jsonc?|(?:gnu)?makefile|justfile|taskfile\.ya?ml|tox\.ini|noxfile\.py|rakefile|(?:docker|container|earth)file[\w.-]*|[\w.-]+\.dockerfile|(?:ci|scripts?|\.ci|build|tools?|bin)\/[^\n]*\.(?:sh|bash|ya?ml)|[^/\n]+\.mk)$/i
const settings =
  /\.(?:ya?ml|jsonc?|json5|toml|ini|cfg|conf|cnf|properties|env|xml|plist|tf|tfvars|hcl|rules|config|service|bicep|cue|nix|gradle|kts|sql)$|(?:^|\/)(?:\.[\w.-]+rc|\.env[\w.-]*|sshd?_config|sudoers|\.?npmrc|caddyfile|dockerfile[\w.-]*|codeowners|\.htaccess|cmakelists\.txt)$|\/(?:sudoers|sshd_config)\.d\/|(?:config|settings|environments?|security|policies)(?:\.\w+$|\/)/i

/** A change of a file that others rely on, and what the file is. */
export interface JudgedChange extends TextChange {
  readonly isTest: boolean
  /** Its lines are commands. */
  readonly runs: boolean
  /** Its lines are settings rather than code. */
  readonly sets: boolean
  /** It is about one's own machine, or an example. */
  readonly isOwn: boolean
}

const ignoring = /(?:^|\/)\.(?:git|docker|npm|gcloud)ignore$/
const secretFiles = /^\s*[^!#\s]*(?:\.env\b|secret|credential|\.pem\b|\.key\b|\.p12\b|id_rsa|\.tfstate|\.tfvars)/im
const accepted =
  /(?:^|\/)(?:\.gitleaksignore|\.trivyignore|\.semgrepignore|\.snyk|\.nsprc|osv-scanner\.toml|\.gitleaks\.toml|\.secrets\.baseline|audit-ci\.jsonc?)$/i
/** Comments that switch a check off for the rest of a file, or one for security anywhere. */
const silenced =
  /@ts-nocheck|\/\*\s*eslint-disable\s*\*\/|#\s*(?:mypy: ignore-errors|flake8: noqa|pylint: skip-file|ruff: noqa\s*$)|\bnosec\b|\bnosemgrep\b|\bNOSONAR\b|#\s*noqa:\s*S\d|gitleaks:allow|checkov:skip|tfsec:ignore|trivy:ignore/m

/** Files that tell agents what to do, and sentences in them that take the person out. */
const instructing =
  /(?:^|\/)(?:CLAUDE|AGENTS?|GEMINI|QWEN|CRUSH)(?:\.local)?\.md$|(?:^|\/)\.(?:cursor|clinerules|windsurf|kiro|roo)[\w./-]*|copilot-instructions\.md$|\.claude\/(?:commands|agents|skills)\/[^\n]+\.md$/
export const unasked =
  /\b(?:without|never|do not|don't|no need to|instead of)\s+(?:\w+\s+){0,3}(?:ask\w*|confirm\w*|approv\w*|permission|mention\w*|tell\w*)|\b(?:pre-?approved|auto-?approve)|--no-verify|--dangerously|skip-permissions|\b(?:ignore|bypass|disable|work around|overrid\w*)\s+(?:\w+\s+){0,4}(?:hooks?|gates?|guards?|warnings?|permissions?|system instructions|safety)|\bapprove\s+(?:\w+\s+){0,3}(?:prompts?|tools?|requests?)/i

/** A way past a check that a sentence names. */
const wayPast =
  /--no-verify|--dangerously|skip-permissions|(?:bypass|disabl|ignor|skip|overrid|work(?:ing)? around)\w*\s+(?:\w+\s+){0,4}[\w-]*(?:hooks?|gates?|guards?|warnings?|permissions?)/i
/** An order not to do what comes next, and words behind something that forbid it. */
const forbidsNext =
  /(?:\bnever|\b(?:do|must|should|may|shall|can) ?not|n['’]t|\bunder no circumstances|\bavoid|\brefrain from|\bstop|(?<!-)\bno(?!-)|\b(?:error|mistake|violation)\W+to)\W+(?:ever\W+|even\W+|(?:have|need)\W+to\W+)?(?:--|(?:accept|tolerate|use|using|run|running|pass|passing|add|adding|commit|committing|push|pushing|bypass|skip|ignore|disable|override|call|set|include|try|attempt|suggest|work\W+around)\w*\b|git\b)/i
const forbidsLast =
  /\b(?:(?:is|are|be|gets?|as|strictly)\W+)(?:\w+\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|violation)\b|(?:\bnot|n['’]t)\W+(?:allowed|permitted|acceptable|an option|ok)\b|[:–—]\W*(?:is\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits)\b/i
/** Matches `instead of --no-verify` and the like: the sentence then recommends something else. */
const inPlaceOf = /\b(?:instead of|rather than)\W+(?:(?:using|passing|running)\W+)?--[\w-]+/i
/** Words by which such a sentence means the opposite, or says when it does not hold. */
const meansOpposite =
  /\b(?:not|never|no longer|(?<!-)no(?!-)|n['’]t)\W+(?:\w+\W+)?(?:stop|forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|error|mistake|violation)\b|\b(?:forget|hesitate|without|unless|until|except|only|instead|but|so|ask\w*|tell|mention|confirm\w*|approv\w*|then|just|if|always)\b|,\W*(?:use|pass|commit|run|push|add)\b/i

/** Removes sentences that forbid a way past a check: they have agents do the opposite. */
const withoutProhibitions = (text: string) =>
  text.replaceAll(/(?:[^.;:!?\n]|:(?=\W*(?:forbidden|prohibited|banned|disallowed|off)))+/g, (sentence) => {
    const rest = sentence.replace(inPlaceOf, '')
    const forbids = forbidsNext.test(rest) || forbidsLast.test(rest) || (rest !== sentence && !wayPast.test(rest))
    return wayPast.test(sentence) && forbids && !meansOpposite.test(rest) ? '' : sentence
  })

/** Returns how a change has something pass unseen: files that are kept out of sight no longer are, or findings now are. */
export function silences({ path, ...texts }: TextChange): string | undefined {
  const [removed, added] = [brief(texts.removed), brief(texts.added)]
  if (instructing.test(path) && unasked.test(withoutProhibitions(added)) && !unasked.test(withoutProhibitions(removed)))
    return 'would tell agents to go on without the person'
  if (prose.test(path) || tests.test(path)) return undefined
  if (silenced.test(added) && !silenced.test(removed)) return 'would silence a check'
  if (
    ignoring.test(path) &&
    ((secretFiles.test(removed) && !secretFiles.test(added)) || /^!.*(?:\.env\s*$|\.pem|\.key)/m.test(added))
  )
    return 'would have a file with secrets taken along'
  return accepted.test(path) && added !== '' && removed === '' ? 'would have a scan accept more' : undefined
}

/** Returns a change without comments; `undefined` for a file that nothing relies on. */
export function judged(change: TextChange, roots: readonly string[]): JudgedChange | undefined {
  const root = roots.find((one) => change.path.startsWith(`${one}/`))
  const path = root === undefined ? change.path : change.path.slice(root.length + 1)
  if (prose.test(path)) return undefined
  return {
    ...change,
    path,
    removed: withoutComments(brief(change.removed)),
    added: withoutComments(brief(change.added)),
    isTest: tests.test(path),
    runs: running.test(path),
    sets: settings.test(path),
    isOwn: own.test(path),
  }
}

/** Removes lines that are comments, also those that are left of a block of them. */
const withoutComments = (text: string) =>
  text
    .split('\n')
    .filter(
      (line) =>
        line === '' ||
        !/^\s*(?:#(?!\[|!|\s*define\b|\s*CONFIG_\w+ is not set)|\/\/|\/\*|\*(?!\s*@\w+\b.*[^*]$|[\s"']*:)|<!--|--\s)/.test(
          line,
        ),
    )
    .join('\n')

/** A pattern that keeps its place in a text may not outlive an event, so it is made where it is used. */
export const everywhere = (look: RegExp) => new RegExp(look.source, `${look.flags}g`)

/** Texts cut where the file has other lines between them. */
export const runsOfLines = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n\n')
    .map(linesOf)
    .filter(({ length }) => length > 0)

/** The beginning of a text, and of its lines: what is longer was not written by hand, and takes long to look at. */
const brief = (text: string) =>
  text
    .slice(0, 60_000)
    .split('\n')
    .map((line) => line.slice(0, 1000))
    .join('\n')

export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
