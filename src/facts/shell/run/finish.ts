import type { Context } from '../state/context.ts'
import { addFlow } from '../start/emit.ts'
import type { State } from '../state/state.ts'

/** What is written to a coprocess goes to the commands in it that read: those that nothing else in it feeds. */
export function finishReaders(context: Context, end: State): void {
  for (const { sink, from, to } of context.readers) {
    const writers = (end.outputs.get(sink) ?? []).flatMap((text) => text.from ?? [])
    for (let reader = from; reader < to; reader++) {
      if (context.flows.some((flow) => flow.to === reader && flow.via === 'pipe')) continue
      const runsIt = context.commands[reader]?.uncertain.some((what) => what.startsWith('the text')) === true
      for (const { command } of writers) {
        addFlow(context, command, reader, 'descriptor', runsIt ? 'code' : 'data')
      }
    }
  }
}
