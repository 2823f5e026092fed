import { readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { assetFolder, readAssets } from '../../src/ui/serve.ts'

it('all files of the page together are small', () => {
  const bytes = readAssets().reduce((sum, asset) => sum + gzipSync(asset.bytes).length, 0)
  expect(bytes).toBeLessThanOrEqual(150_000)
})

it('the page names no other origin, runs nothing that is not in a file, and serves all that was built', () => {
  const assets = readAssets()
  const page = assets.find(({ path }) => path === '/')?.bytes.toString() ?? ''
  const references = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference)
  expect(new Set(references)).toEqual(new Set(['/icon.svg', '/page.css', '/page.js']))
  expect(page).not.toMatch(/<style|<script>| on\w+=| style=/)
  expect(assets.find(({ path }) => path === '/page.css')?.bytes.toString()).not.toMatch(/url\(|@import/)
  expect(readdirSync(assetFolder).toSorted()).toEqual(['icon.svg', 'index.html', 'page.css', 'page.js'])
})
