import { type ShellWord, unknownPart } from 'hookgate/policy'
import type { PackageCall } from './managers.ts'

/** A package as it is named to a manager. */
export interface Named {
  /** As it is written. */
  readonly text: string
  /** Without its version. */
  readonly name: string
  readonly version?: string
  /** The source, if it is not a registry. */
  readonly from?: 'address' | 'repository' | 'archive' | 'alias' | 'folder'
  /** The host of that. */
  readonly host?: string
  /** A part of it is unknown. */
  readonly unknown: boolean
}

/** Everything that a call names to be installed or run. */
export function packagesOf(call: PackageCall): readonly Named[] {
  const { manager, act, options, names } = call
  const given = options.values
  const words = [...(act === 'run' ? names.slice(0, 1) : names)]
  switch (manager) {
    case 'npx':
    case 'pnpx':
    case 'bunx':
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun': {
      const packages = act === 'run' ? given('package', 'p') : []
      // `npm create x` runs the package `create-x`.
      const creates = /^(?:create|init|innit)$/.test(call.verb)
      if (creates) return words.map((word) => named({ ...word, value: creatorOf(word.value) }))
      return (packages.length > 0 ? packages : words).map((word) => named(word))
    }
    case 'uvx':
    case 'uv':
      return [...(given('from').length > 0 ? given('from') : words), ...given('with', 'git', 'with-editable')].map(
        (word) => named(word),
      )
    case 'pip':
    case 'pipenv':
    case 'pdm':
      // A list of packages from an address may name any.
      return [
        ...words,
        ...given('e', 'editable'),
        ...given('r', 'requirement').filter(({ value }) => /^[a-z]+:\/\//i.test(value)),
      ].map((word) => named(word))
    case 'pipx':
      return (given('spec').length > 0 ? given('spec') : words).map((word) => named(word))
    case 'cargo':
    case 'bundle':
    case 'rye': {
      const places = given('git', 'url', 'github')
      if (places.length > 0) return places.map((word) => named(word, 'repository'))
      return given('path').length > 0 ? [] : words.map((word) => named(word))
    }
    // A word without version and scheme is a file, or a package of the project.
    case 'go':
      return words.filter(({ value }) => act !== 'run' || value.includes('@')).map((word) => named(word))
    case 'deno':
      return words
        .filter(({ value }) => act !== 'run' || /^(?:npm|jsr):/.test(value))
        .map((word) => named({ ...word, value: word.value.replace(/^(?:npm|jsr):\/?/, '') }))
    // Packages of Homebrew's own collection are widely reviewed.
    case 'nix':
      return words.filter(({ value }) => !/^nixpkgs(?:#|\/)|^#/.test(value)).map((word) => named(word))
    case 'brew':
    case 'rpm':
    case 'dnf':
    case 'zypper':
    case 'cookiecutter':
    case 'copier':
    case 'pre-commit':
      return words.filter(({ value }) => /^(?:\w+\+)?\w+:\/\/|^git@/.test(value)).map((word) => named(word))
    case 'gh':
      return words.map((word) => named(word, 'repository'))
    default:
      return words.map((word) => named(word))
  }
}

/** Hosts from which modules of Go come, by their own name or in the name of a project that is widely used. */
const goHosts =
  /^(?:[\w-]+\.)*(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|gitea\.com|golang\.org|google\.golang\.org|go\.dev|uber\.org|gopkg\.in|k8s\.io|honnef\.co|mvdan\.cc|gotest\.tools|cuelang\.org|opentelemetry\.io|gorm\.io|entgo\.io|mongodb\.org|google\.com|rsc\.io|gioui\.org|fyne\.io|modernc\.org|pgregory\.net|gonum\.org|tailscale\.com|istio\.io|knative\.dev|helm\.sh|dario\.cat|filippo\.io|goa\.design|buf\.build|connectrpc\.com|charm\.land|oras\.land|etcd\.io|temporal\.io|step\.sm|lukechampine\.com|dagger\.io|zgo\.at|cel\.dev|sigstore\.dev|upbound\.io)$/

/** Returns the host that a module of Go is fetched from, unless it is one of those. */
export function strangeHostOf({ manager }: PackageCall, { text }: Named): string | undefined {
  const host = manager === 'go' && text.includes('@') ? /^((?:[\w-]+\.)+\w+)\/./.exec(text)?.[1] : undefined
  return host === undefined || goHosts.test(host) ? undefined : host
}

const creatorOf = (name: string) =>
  /^(?:@[^/]*\/|[a-z]+:|\.)/.test(name) ? name.replace(/^(@[^/]*\/)(?!create)/, '$1create-') : `create-${name}`

const isUnknown = (text: string) => text.includes(unknownPart)

function named(word: ShellWord, given?: Named['from']): Named {
  const { value: text, unresolved } = word
  const unknown = unresolved === true || isUnknown(text)
  // `name @ https://…` of Python, `name@https://…` of npm.
  const at = /^(@?[^@:/]+(?:\/[^@:/]+)?)\s*@\s*([^]*)$/.exec(text)
  const place = at?.[2] === undefined || !isPlace(at[2]) ? text : at[2]
  const from = given ?? placeOf(place)
  if (from !== undefined) {
    const host = /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(place)?.[1]
    return { text, name: text, from, unknown, ...(host !== undefined && { host }) }
  }
  if (at?.[2]?.startsWith('npm:') === true) return { text, name: at[1] ?? text, from: 'alias', unknown }
  const [, name = text, version] = /^(@?[^@=<>!~[\s;]+)(?:\[[^\]]*\])?(?:@|===?|(?=[<>!~]))?([^;\s]*)/.exec(text) ?? []
  return { text, name, unknown, ...(version !== undefined && version !== '' && { version }) }
}

const isPlace = (text: string) => placeOf(text) !== undefined

function placeOf(text: string): Named['from'] {
  if (/^(?:git|hg|svn|bzr)\+|^git(?:@|:\/\/)|^ssh:\/\/|\.git(?:#|$)/i.test(text)) return 'repository'
  if (/^(?:github|gitlab|bitbucket|gist):/i.test(text)) return 'repository'
  // `user/project` of npm is one of GitHub; with an `@` it is a scope.
  if (/^https?:\/\/|^ftp:/i.test(text)) return 'address'
  if (/\.(?:tgz|tar\.(?:gz|bz2|xz)|whl|zip|gem|crate|nupkg|egg)$/i.test(text)) return 'archive'
  if (/^(?:file|link|portal|workspace|patch):|^\.{0,2}(?:\/|\[|$)|^~\/|^[a-z]:\\/i.test(text)) return 'folder'
  return undefined
}

/** True if npm would take it for a GitHub project. */
export const isShorthand = ({ manager }: PackageCall, { text, from }: Named) =>
  from === undefined && /^(?:npm|pnpm|yarn|bun|npx|bunx)$/.test(manager) && /^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(text)

/** True for an exact version, false for a range, which may resolve differently tomorrow. */
export const isPinned = ({ version }: Named) => version !== undefined && /^v?\d+\.\d+(?:\.\d+)?[\w.+-]*$/.test(version)

/** True if the person allowed it: `@scope/*` matches every package of a scope. */
export const isAllowed = ({ name, text }: Named, allowed: readonly string[]) =>
  allowed.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name || one === text))
