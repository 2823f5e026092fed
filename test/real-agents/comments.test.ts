import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programOf } from './pins.ts'
import { worldOf } from './world.ts'

/** Settings as people write them, made of those that the tests need. */
const commented = (text: string) =>
  `// mine: "x", {\r\n${text.replace('{', '{ /* the "first" { */\n\t').replaceAll(',"', ', // and\n"')} // the end\n/* é 𝒳 */`

describe.each([
  ['gemini-cli', '.gemini'],
  ['qwen-code', '.qwen'],
] as const)('settings of %s with comments', (agent, name) => {
  it.runIf(programOf(agent))('are enabled, edited and disabled, and the program reads them each time', async () => {
    const world = await worldOf(agent, [])
    try {
      const file = join(world.home, name, 'settings.json')
      const read = () => readFileSync(file, 'utf8')
      const cli = async (...argv: readonly string[]) => expect(await world.cli(argv)).toMatchObject({ exitCode: 0 })
      const refused = async () => {
        const ran = await world.run(() => ({ main: [{ calls: [world.launch.shell('touch refused allowed')] }] }))
        expect(ran).toMatchObject({ exitCode: 0 })
        return !ran.made('refused')
      }
      // Qwen Code adds a key of its own when it is started first.
      expect(await refused()).toBe(true)
      await cli('disable', agent)
      const before = commented(read())
      writeFileSync(file, before)
      await cli('enable', agent)
      expect(await refused()).toBe(true)
      const edited = (text: string) => text.replace('// the end', '// the very end').replace('// and', '/* and */')
      writeFileSync(file, edited(read()))
      expect(await refused()).toBe(true)
      await cli('disable', agent)
      expect(read()).toBe(edited(before))
      expect(await refused()).toBe(false)
    } finally {
      await world.close()
    }
  })
})
