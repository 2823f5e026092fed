/** In `disable` of a pack: every rule, those of later versions included. Turns off a pack of the preset. */
export const everyRule = '*'
