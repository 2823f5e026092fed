import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const file = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url))
let source: string | undefined

/** What axe returns, as far as it is read here. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact?: string | null
    readonly help: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/**
 * Returns what axe finds wrong with a page as it is now: its serious and critical findings, each with its selectors.
 * Animations are removed first, since axe reads the colours of the moment.
 *
 * The browser runs axe as a debugger would, so the page's Content-Security-Policy stays as it is.
 */
export async function axe(page: Page): Promise<readonly string[]> {
  source ??= readFileSync(file, 'utf8')
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  await page.evaluate('document.getAnimations().forEach((one) => one.cancel())')
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, { resultTypes: ['violations'] })`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) =>
          `${impact} ${id}: ${help}, at ${target.join(' ')}\n${failureSummary.replaceAll(/^/gm, '  ')}`,
      ),
    )
}
