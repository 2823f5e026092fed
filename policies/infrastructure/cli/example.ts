const example = <const Want extends 'deny' | 'ask' | 'abstain'>(command: string, want: Want) => ({
  name: command,
  given: { input: { command } },
  want,
})

/** Examples of a rule, named by their commands. */
export const refused = (command: string) => example(command, 'deny')
export const asked = (command: string) => example(command, 'ask')
export const passed = (command: string) => example(command, 'abstain')

/** An example of `allowed`: a danger that the rules file lets through by its first words. */
export const allowed = (command: string, words: string) => ({
  name: `${command}, where ${words} is allowed`,
  given: { input: { command }, params: { allowed: [words] } },
  want: 'abstain' as const,
})

/** An example of `answer`: a danger that the rules file has another answer to. */
export const answered = <const Answer extends 'deny' | 'ask'>(command: string, answer: Answer) => ({
  name: `${command}, where the answer is to ${answer}`,
  given: { input: { command }, params: { answer } },
  want: answer,
})
