/** A word of a command to type, quoted for a shell where it must be. */
export const quoted = (word: string) =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
