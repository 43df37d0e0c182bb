type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Picks a plural form by `Intl.PluralRules`. */
export function pluralIn(language: string): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language)
    return forms[rules.select(count)] ?? forms.other
  }
}
