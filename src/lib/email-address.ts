/** Whether a text is an e-mail address as browsers check one. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && address.test(text)

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const address =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
