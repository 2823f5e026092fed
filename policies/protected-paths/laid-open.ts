import { everywhere, type JudgedChange } from './edited-files.ts'

/** Settings that let everybody in from the start, in a file that says who may do what. */
const laidOpen: readonly (readonly [what: string, ...looks: readonly RegExp[]])[] = [
  [
    'allow everything on everything',
    /["']?\bactions?["']?\s*[:=]\s*(?:\[\s*|\n\s*-\s*)?["']\*["']/i,
    /["']?\bresources?["']?\s*[:=]\s*(?:\[\s*|\n\s*-\s*)?["']\*["']/i,
    /\ballow\b/i,
  ],
  ['let any repository take the role', /token\.actions\.githubusercontent\.com:sub[\s\S]{0,160}["']repo:\*/],
  [
    'open a port of machines to everybody',
    /\b(?:from_?port|port)["']?\s*[:=]\s*["']?(?:22|3389|5432|3306|1433|6379|27017|9200|2375)\b[^{}]{0,300}["']?(?:0\.0\.0\.0\/0|::\/0)|(?:0\.0\.0\.0\/0|::\/0)[^{}]{0,300}\b(?:from_?port|port)["']?\s*[:=]\s*["']?(?:22|3389|5432|3306|1433|6379|27017|9200|2375)\b/i,
  ],
  [
    'hand the machine to a container',
    /\bprivileged["']?\s*:\s*true|\/var\/run\/docker\.sock\b(?![^\n]*:ro\b)|\bhost(?:PID|Network|IPC)["']?\s*:\s*true/,
  ],
  [
    'let everything reach it, and be reached by it',
    /\bkind\s*:\s*NetworkPolicy\b/,
    /\b(?:ingress|egress)\s*:\s*(?:\[\s*\{\s*\}\s*\]|\n\s*-\s*\{\s*\}\s*$)/m,
  ],
  ['open it to every address', /\b0\.0\.0\.0\b[^{}]{0,80}\b255\.255\.255\.255\b/],
  [
    'give the cluster to whoever reaches it',
    /\bcluster-admin\b/,
    /\bsystem:(?:anonymous|unauthenticated|authenticated)\b/,
  ],
  [
    'let everybody read or write it',
    /\ballAuthenticatedUsers\b|\ballUsers\b/,
    /\broles\/(?:owner|editor|\w+\.(?:admin|writer|objectAdmin))\b/i,
  ],
]

/** Returns how a file of settings would let everybody in, whatever was there before. */
export function opensAll({ removed, added, sets, isTest, isOwn }: JudgedChange): string | undefined {
  if (!sets || isTest || isOwn) return undefined
  const found = laidOpen.find(
    ([, ...looks]) => looks.every((look) => look.test(added)) && !looks.every((look) => look.test(removed)),
  )
  return found === undefined ? undefined : `would ${found[0]}`
}

/** Dependencies that come from a repository or an address instead of the registry of their language. */
const elsewhere: readonly (readonly [file: RegExp, look: RegExp])[] = [
  [/(?:^|\/)Cargo\.toml$/, /^\s*["']?([\w-]+)["']?\s*=\s*\{[^}\n]*\bgit\s*=/m],
  [
    /(?:^|\/)package\.json$/,
    /"(?!repository"|url"|homepage"|bugs"|type")(@?[\w./-]+)"\s*:\s*"(?:git\+\w+:|git:|github:|gitlab:|bitbucket:|https?:\/\/[^"]+\.(?:tgz|tar\.gz|git)\b)/,
  ],
  [/(?:^|\/)go\.mod$/, /^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s*=>\s*(?!\.)\S+\//m],
  [
    /(?:^|\/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/,
    /([\w-]+)["']?\s*(?:@\s*(?:git\+)?https?:|=\s*\{[^}\n]*\bgit\s*=)|(git\+https?:\S+)/,
  ],
  [/(?:^|\/)Gemfile$/, /\bgem\s+["']([\w-]+)["'][^\n]*\b(?:git|github):?\s*(?:=>|["'])/],
  [/(?:^|\/)composer\.json$/, /"type"\s*:\s*"(vcs)"/],
]

/** Returns the dependency that would come from elsewhere. */
export function movedSource({ path, removed, added, isTest }: JudgedChange): string | undefined {
  if (isTest) return undefined
  for (const [file, look] of elsewhere) {
    if (!file.test(path)) continue
    const before = new Set([...removed.matchAll(everywhere(look))].map(([, name]) => name))
    const found = [...added.matchAll(everywhere(look))].find(([, name]) => !before.has(name))
    if (found !== undefined)
      return `would take ${found[1] ?? found[2] ?? 'a dependency'} from elsewhere than its registry`
  }
  return undefined
}
