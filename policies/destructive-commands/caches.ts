import { isWithin, type TouchedPath } from 'hookgate/policy'

/** Caches that package managers, builds and test browsers fill again. */
export const caches: readonly string[] = [
  '.npm/_cacache', '.npm/_npx', '.gradle/caches', '.gradle/daemon', '.m2/repository', '.cargo/registry', '.cargo/git', '.bun/install/cache',
  '.yarn/cache', '.pnpm-store', '.nuget/packages', '.ivy2/cache', '.sbt/boot', '.terraform.d/plugin-cache', 'go/pkg/mod',
  '.cache/pip', '.cache/uv', '.cache/pypoetry', '.cache/yarn', '.cache/pnpm', '.cache/node', '.cache/deno', '.cache/go-build',
  '.cache/golangci-lint', '.cache/pre-commit', '.cache/ms-playwright', '.cache/Cypress', '.cache/puppeteer', '.cache/bazel',
  '.cache/electron', '.cache/ccache', '.cache/sccache', '.cache/mypy', '.cache/ruff', '.cache/composer', '.cache/typescript',
  '.cache/turbo', '.cache/coursier', '.cache/nix', '.cache/bundler',
  'Library/Caches/pip', 'Library/Caches/Yarn', 'Library/Caches/CocoaPods', 'Library/Caches/Homebrew', 'Library/Caches/go-build',
  'Library/Caches/ms-playwright', 'Library/Caches/Cypress', 'Library/Caches/pnpm', 'Library/Caches/deno', 'Library/Caches/pypoetry',
  'Library/Caches/org.swift.swiftpm', 'Library/Caches/golangci-lint', 'Library/Developer/Xcode/DerivedData',
] // prettier-ignore

/** Folders of a home directory in which every program has its cache. */
const roots: readonly string[] = ['.cache', 'Library/Caches']

/** True for a cache in anybody's home directory: it is filled again. */
export function isCache({ real, absolute = '' }: TouchedPath): boolean {
  const way = /^\/(?:(?:home|Users)\/[^/]+|(?:var\/)?root)\/(.+)$/.exec(real ?? absolute)?.[1]
  return way !== undefined && [...roots, ...caches].some((one) => isWithin(way, one))
}
