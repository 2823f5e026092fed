const example = <const Want extends 'deny' | 'ask' | 'abstain'>(command: string, want: Want) => ({
  name: command,
  given: { input: { command } },
  want,
})

/** Examples of a rule, named by their commands. */
export const refused = (command: string) => example(command, 'deny')
export const asked = (command: string) => example(command, 'ask')
export const passed = (command: string) => example(command, 'abstain')
