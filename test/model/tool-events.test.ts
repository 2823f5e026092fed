import { expect, it } from 'vitest'
import { EventName } from '../../src/model/event.ts'
import { toolEvents } from '../../src/model/tool-kinds.ts'
import { takesTool } from '../../src/rules/match/matcher.ts'

it('the events about a tool call are those whose matcher applies to tools', () => {
  expect(EventName.options.filter(takesTool).toSorted()).toEqual([...toolEvents].toSorted())
})
