/** An example of the param `allowed`: a dangerous command that the rules file allows by its first words. */
export const allowed = (command: string, words: string) => ({
  name: `${command}, where ${words} is allowed`,
  given: { input: { command }, params: { allowed: [words] } },
  want: 'abstain' as const,
})

/** An example of the param `answer`, which replaces the rated effect of a dangerous command. */
export const answered = <const Answer extends 'deny' | 'ask'>(command: string, answer: Answer) => ({
  name: `${command}, where the answer is to ${answer}`,
  given: { input: { command }, params: { answer } },
  want: answer,
})
