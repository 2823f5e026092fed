import { expect, it } from 'vitest'
import { EventName } from '../../src/model/event.ts'
import { toolEvents } from '../../src/model/tool-events.ts'
import { takesTool } from '../../src/rules/match/subject.ts'

it('the events that are about a tool call are those at which a matcher is held against a tool', () => {
  expect(EventName.options.filter(takesTool).toSorted()).toEqual([...toolEvents].toSorted())
})
