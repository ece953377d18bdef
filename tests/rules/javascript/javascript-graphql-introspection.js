// ruleid: javascript-graphql-introspection
const server = new ApolloServer({ typeDefs, resolvers, introspection: true });
// ruleid: javascript-graphql-introspection
app.use('/graphql', graphqlHTTP({ schema, graphiql: true }));

// ok: javascript-graphql-introspection
const dev = new ApolloServer({ typeDefs, introspection: process.env.NODE_ENV !== 'production' });
// ok: javascript-graphql-introspection
app.use('/graphql', graphqlHTTP({ schema, graphiql: false }));
