package organization

import (
	"fmt"

	"waybill/domain/account"
)

// User is a user, identified by the email address.
type User struct {
	Email string `yaml:"email"`
	Name  string `yaml:"name"` // the address when left out
	// Roles are built-in ones or those of the organization, by name.
	Roles      []string `yaml:"roles"`
	Language   string   `yaml:"language"`   // the organization's when left out
	Department string   `yaml:"department"` // by name
}

const maxRoles = 20

func (c *checker) users() {
	identities := seen[string]{}
	for i := range c.document.Users {
		u, path := &c.document.Users[i], at("users", i)
		email, ok := account.Email(u.Email)
		if !ok {
			c.complain(path+".email", "must be an email address, such as name@example.com")
			continue
		}
		identities.add(c, Fold(email), path+".email", path)
		if u.Email = email; u.Name == "" {
			u.Name = email
		}
		c.name(path+".name", u.Name)
		if u.Language != "" {
			c.oneOf(path+".language", u.Language, "nb", "en", "da")
		}
		if len(u.Roles) == 0 || len(u.Roles) > maxRoles {
			c.complain(path+".roles", "must be 1 to %d names", maxRoles)
		}
		for n, role := range u.Roles {
			c.name(fmt.Sprintf("%s.roles[%d]", path, n), role)
		}
	}
}
