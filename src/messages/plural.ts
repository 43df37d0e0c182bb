type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Picks a plural form by `Intl.PluralRules`; with `ordinal`, that of 1st, 2nd and so on. */
export function pluralIn(
  language: string,
  type: Intl.PluralRuleType = 'cardinal',
): (count: number, forms: Forms) => string {
  let rules: Intl.PluralRules | undefined
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language, { type })
    return forms[rules.select(count)] ?? forms.other
  }
}

/** Searches stop counting there. */
export const upToThousand = (count: number): string => (count < 1000 ? String(count) : '1,000+')
