import type { JudgedChange, LostGuard } from './edited-file.ts'

/** By file, a pattern of dependencies that come from a repository or an address instead of their language's registry. */
const elsewhere: readonly (readonly [file: RegExp, look: RegExp])[] = [
  [/(?:^|\/)Cargo\.toml$/, /^[ \t]*["']?([\w-]{1,99})["']?\s*=\s*\{[^}\n]{0,300}\bgit\s*=/gm],
  [
    /(?:^|\/)package\.json$/,
    /"(?!repository"|url"|homepage"|bugs"|type")(@?[\w./-]+)"\s*:\s*"(?:git\+\w+:|git:|github:|gitlab:|bitbucket:|https?:\/\/[^"]+\.(?:tgz|tar\.gz|git)\b)/g,
  ],
  [/(?:^|\/)go\.mod$/, /^[ \t]*(?:replace[ \t]+)?(\S{1,200})(?:[ \t]+v\S{1,200})?[ \t]*=>[ \t]*(?!\.)\S{1,200}\//gm],
  [
    /(?:^|\/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/,
    /([\w-]{1,99})["']?\s{0,9}(?:@\s{0,9}(?:git\+)?https?:|=\s{0,9}\{[^}\n]{0,300}\bgit\s*=)|(git\+https?:\S+)/g,
  ],
  [/(?:^|\/)Gemfile$/, /\bgem\s+["']([\w-]+)["'][^\n]*\b(?:git|github):?\s*(?:=>|["'])/g],
  [/(?:^|\/)composer\.json$/, /"type"\s*:\s*"(vcs)"/g],
]

/** Returns a loss if a change takes a dependency from a repository or an address instead of a registry. */
export function findMovedSource({ path, removed, added, isTest }: JudgedChange): LostGuard | undefined {
  if (isTest) return undefined
  for (const [file, look] of elsewhere) {
    if (!file.test(path)) continue
    const before = new Set([...removed.matchAll(look)].map(([, name]) => name))
    const found = [...added.matchAll(look)].find(([, name]) => !before.has(name))
    if (found !== undefined)
      return {
        kind: 'weaken',
        object: 'source',
        name: found[1] ?? found[2] ?? 'a dependency',
        would: 'take it from elsewhere than its registry',
      }
  }
  return undefined
}
