import type { ImpactKind } from '../../../model/impact.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { rootAround, wayWithin } from '../../../words/paths.ts'

/** Paths of files that describe, such as documentation, or that programs write. */
const prose =
  /(?<!cmakelists|requirements[\w.-]*)\.txt$|\.(?:mdx?|markdown|rst|adoc|org|html?|svg|csv|tsv|snap|po|log|lock|jsonl|ipynb)$|(?:^|\/)(?:changelog|license|notice|codeowners\.md)$|(?:^|[/.-])lock\.(?:json|ya?ml)$|(?:^|\/)go\.sum$/i
const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__mocks__|mocks?|testdata|testing|cypress|benches|bench)\/|(?:[._-](?:test|tests|spec|stories|e2e|cy)|Tests?|Spec)\.\w+$|(?:^|\/)test_[^/]+$/
/** Paths of files that take effect only on a developer's machine, or are examples. */
const localOrExample =
  /(?:^|[./_-])(?:dev|devel|development|local|example|examples|sample|samples|demo|playground|sandbox|docs?|test|testing)(?=[./_-]|$)/i
/** Paths of files whose lines are commands, run by a service, by a tool of the project or by git. */
const running =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/[^\n]+|\.gitlab-ci[\w.-]*|\.gitlab\/ci\/[^\n]+|\.circleci\/[^\n]+|jenkinsfile[\w.-]*|azure-pipelines[\w.-]*|bitbucket-pipelines\.yml|\.travis\.yml|\.drone\.yml|\.woodpecker[\w./-]*|\.buildkite\/[^\n]+|cloudbuild\.ya?ml|buildspec\.ya?ml|\.?appveyor\.yml|codemagic\.yaml|\.husky\/[^\n]+|\.?lefthook[\w.-]*|\.githooks\/[^\n]+|\.git\/hooks\/[^\n]+|\.pre-commit-config\.yaml|\.lintstagedrc[\w.]*|package\.json|composer\.json|deno\.jsonc?|(?:gnu)?makefile|justfile|taskfile\.ya?ml|tox\.ini|noxfile\.py|rakefile|(?:docker|container|earth)file[\w.-]*|[\w.-]+\.dockerfile|(?:ci|scripts?|\.ci|build|tools?|bin)\/[^\n]*\.(?:sh|bash|ya?ml)|[^/\n]+\.mk)$/i
const settings =
  /\.(?:ya?ml|jsonc?|json5|toml|ini|cfg|conf|cnf|properties|env|xml|plist|tf|tfvars|hcl|rules|config|service|bicep|cue|nix|gradle|kts|sql)$|(?:^|\/)(?:\.[\w.-]+rc|\.env[\w.-]*|sshd?_config|sudoers|\.?npmrc|caddyfile|dockerfile[\w.-]*|codeowners|\.htaccess|cmakelists\.txt)$|\/(?:sudoers|sshd_config)\.d\/|(?:config|settings|environments?|security|policies)(?:\.\w+$|\/)/i

/** A change of a file on which something relies, and the kind of the file. */
export interface JudgedChange extends TextChange {
  readonly isTest: boolean
  /** True if the file's lines are commands. */
  readonly runs: boolean
  /** True if the file's lines are settings rather than code. */
  readonly sets: boolean
  /** True if the file takes effect only on a developer's machine, or is an example. */
  readonly isOwn: boolean
}

/** A check, guard or setting that an edit removes or weakens. */
export interface LostGuard {
  readonly kind: Extract<ImpactKind, 'weaken' | 'delete'>
  readonly object: string
  /** The removed line, or a name in it. */
  readonly name?: string
  /** What the file would do after the edit, as the end of `which would …`. */
  readonly would?: string
}

/** Returns a file's path in its workspace. */
export function pathIn(roots: readonly string[], { path }: TextChange): string {
  const root = rootAround(path, roots)
  return (root !== undefined && wayWithin(path, root)) || path
}

/** True for documentation, files that programs write, and tests. */
export const isProseOrTest = (path: string): boolean => prose.test(path) || tests.test(path)

/** Returns a change without comments, with the kind of its file; `undefined` for a file on which nothing relies. */
export function toJudgedChange(change: TextChange, path: string): JudgedChange | undefined {
  if (prose.test(path)) return undefined
  return {
    ...change,
    path,
    removed: withoutComments(brief(change.removed)),
    added: withoutComments(brief(change.added)),
    isTest: tests.test(path),
    runs: running.test(path),
    sets: settings.test(path),
    isOwn: localOrExample.test(path),
  }
}

/** Removes lines that are comments, also of a comment block that the change shows only in part. */
const withoutComments = (text: string) =>
  text
    .split('\n')
    .filter(
      (line) =>
        line === '' ||
        !/^[ \t]*(?:#(?!\[|!|\s*define\b|\s*CONFIG_\w+ is not set)|\/\/|\/\*|\*(?!\s*@\w+\b.*[^*]$|[\s"']*:)|<!--|--\s)/.test(
          line,
        ),
    )
    .join('\n')

/** Splits a text into runs of lines: an empty line stands where the file has other lines between them. */
export const runsOfLines = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n\n')
    .map(linesOf)
    .filter(({ length }) => length > 0)

/** Cuts a text and its lines: longer texts and lines were not written by hand, and take long to search. */
export const brief = (text: string) =>
  text
    .slice(0, charactersMax)
    .split('\n')
    .map((line) => line.slice(0, 1000))
    .join('\n')
const charactersMax = 60_000

export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
