import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { expect, it } from 'vitest'
import { ownPlaces } from '../../src/cli/args/own-places.ts'

it.each(['', '.', 'relative'])('a home of %j is ignored: a user’s gate never lives in a project', (HOME) => {
  const { folder } = ownPlaces({ HOME })
  expect(isAbsolute(folder)).toBe(true)
  expect(folder.startsWith(process.cwd())).toBe(process.cwd() === homedir())
})
