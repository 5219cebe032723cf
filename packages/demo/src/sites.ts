/** The lighthouses, each with its contact person and the salutation in German letters. */
export const sites: {
  site: string
  person: string
  tongue: 'english' | 'german' | 'french' | 'spanish'
  formal?: string
}[] = [
  { site: 'Gannet Rock', person: 'Callum Pebblewick', tongue: 'english' },
  { site: 'Old Brennick', person: 'Fiadh Drizzlecombe', tongue: 'english' },
  { site: 'Torre Salina', person: 'Rocío Salinera', tongue: 'spanish' },
  { site: 'Hvalsker', person: 'Rasmus Strandhugg', tongue: 'english' },
  { site: 'Pointe du Grisard', person: 'Armelle Grisaille', tongue: 'french' },
  { site: 'Skarvholm', person: 'Solveig Tangskog', tongue: 'english' },
  { site: 'Little Merrow', person: 'Morwenna Trelantern', tongue: 'english' },
  { site: 'Punta Alondra', person: 'Pilar Bajamar', tongue: 'spanish' },
  { site: 'Windsele', person: 'Otto Seezeichen', tongue: 'german', formal: 'Herr Seezeichen' },
  { site: 'Kap Einsam', person: 'Gesine Prielwasser', tongue: 'german', formal: 'Frau Prielwasser' },
  { site: 'Penn-ar-Vad', person: 'Yannick Kerbrume', tongue: 'french' },
  { site: 'Sorrel Ness', person: 'Eustace Kelpworthy', tongue: 'english' },
  { site: 'The Hag', person: 'Desmond Saltpeter', tongue: 'english' },
  { site: 'Isle of Trudge', person: 'Philippa Mudlark', tongue: 'english' },
  { site: 'Mewstone Outer', person: 'Hamish Gullane-Tripp', tongue: 'english' },
  { site: 'Dunmarrow', person: 'Ailsa Fogarty-Wren', tongue: 'english' },
  { site: 'Ostrand Nord', person: 'Marius Trosse', tongue: 'german', formal: 'Herr Trosse' },
  { site: 'Capo Lanterna', person: 'Benedetta Lucciola', tongue: 'english' },
  { site: 'Fairlead Point', person: 'Aurelia Sottovento', tongue: 'english' },
  { site: 'Rook Skerry', person: 'Ingrid Havbruse', tongue: 'english' },
  { site: 'Sankt Ambros', person: 'Theda Wattläufer', tongue: 'german', formal: 'Frau Wattläufer' },
  { site: 'Vuorikari', person: 'Kaarina Majakka', tongue: 'english' },
  { site: 'Blackthrift', person: 'Lionel Bogmyrtle', tongue: 'english' },
]
