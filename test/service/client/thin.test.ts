import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limits } from '../../../src/model/limits.ts'

it.each(['callerBytesMax', 'httpDiscardedBytesMax'] as const)('the Node client has the current `%s`', (name) => {
  const text = readFileSync(new URL('../../../src/service/client/thin.ts', import.meta.url), 'utf8')
  const figure = new RegExp(`\`limits\\.${name}\`[^\\n]*\\nconst \\w+ = ([\\d_]+)\\n`).exec(text)?.[1]
  expect(Number(figure?.replaceAll('_', ''))).toBe(limits[name])
})
