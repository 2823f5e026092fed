import { expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import { folderWith } from '../support/workspace.ts'
import { blocksOf } from './pages.ts'

it('docs/serve.md shows a managed file that names a gate elsewhere, which loads as one', async () => {
  const shown = blocksOf('docs/serve.md').find(({ language, text }) => language === 'json' && text.includes('"remote"'))
  const managedFolder = folderWith({ 'hooks.json': shown?.text ?? '{' })
  const gate = createGate({ managedFolder, home: folderWith(), placement: 'caller' })
  const { rules, remote } = await gate.rulesFor({ workspaceRoots: [] })
  await gate.close()
  expect(remote?.url).toBe('https://gate.example.com:8443')
  expect(rules[0]).toMatchObject({ id: 'hookgate:remote', handler: { asks: { unreachable: 'rules' } } })
})
