import { useEffect, useRef } from 'preact/hooks'
import type { AnsweringName, AskedOf } from '../api.ts'
import { changeCount } from './changes.ts'
import { useAnswer } from './use-answer.ts'

/** Asks as `useAnswer` does, and again whenever this page has changed something. */
export function useSettings<Name extends AnsweringName>(
  name: Name,
  asked: AskedOf<Name>,
): ReturnType<typeof useAnswer<Name>> {
  const [asking, again] = useAnswer(name, asked)
  const count = changeCount.value
  const answered = useRef(count)
  useEffect(() => {
    if (answered.current === count) return
    answered.current = count
    again()
  }, [count])
  return [asking, again]
}
