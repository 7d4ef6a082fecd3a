// Package cart has carts.
package cart

// Shown is what can be shown.
type Shown interface {
	Show() string
}

// Cart is what is to be bought.
type Cart struct {
	Items []string
}

// New makes a cart.
func New() *Cart { return &Cart{} }

// Show says what is in it.
func (c *Cart) Show() string {
	return label(len(c.Items))
}
