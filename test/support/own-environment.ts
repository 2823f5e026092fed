import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeIn, missingIn, ownFolderVariable } from './own-folder.ts'

/**
 * All that tests are given of the environment of the person who runs them: nothing that hookgate or an agent reads, and
 * no locale, of which some shells warn on each start where it is not installed.
 */
const kept =
  /^(?:PATH|SHELL|USER|LOGNAME|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|CI|GITHUB_.*|TMPDIR|TMP|TEMP|TZ|LD_.*|NODE_ENV|TEST|VITEST.*|DEV|PROD|SSR|MODE|BASE_URL|HOOKGATE_TEST_.*|SystemRoot|PATHEXT|ComSpec)$/i

/**
 * Gives the tests an environment and a home of their own, so that they depend on no file of the person who runs them
 * and change none.
 *
 * @returns the check that no test has written into the shared home, or created what has to be missing
 */
export default function setUp(): (() => void) | undefined {
  // vitest calls this once for each of its projects.
  if (process.env[ownFolderVariable] !== undefined) return undefined
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-tests-')))
  mkdirSync(homeIn(folder))
  for (const name of Object.keys(process.env)) if (!kept.test(name)) delete process.env[name]
  process.env[ownFolderVariable] = folder
  process.env['HOME'] = homeIn(folder)
  return () => {
    const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    rmSync(folder, { recursive: true, force: true })
    const wrong = written.filter((path) => path !== homeIn(folder))
    if (wrong.length > 0) {
      throw new Error(
        `tests have written into the home that they share, or into ${missingIn(folder)}, which has to be missing: ${wrong.slice(0, 10).join(', ')}`,
      )
    }
  }
}
